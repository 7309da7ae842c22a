"""The game in a terminal: wording, screens, menus and the table where they meet. Everything works for any game of any pack."""
