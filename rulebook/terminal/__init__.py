"""The game in a terminal: wording, screens, menus and the table where they meet. All of it works for any game."""
