// Two bots play a whole game against each other.
//   node two_bots.mjs [--game NAME] [--seed N] [--record FILE] [-- COMMAND ARGS…]
import { writeFileSync } from "node:fs";
import { Engine, Seat } from "./engine.mjs";

const args = process.argv.slice(2);
const at = args.indexOf("--");
const command = at < 0 ? ["rulebook", "engine"] : args.splice(at).slice(1);
const option = (name, otherwise) => (args.includes(name) ? args[args.indexOf(name) + 1] : otherwise);
const seed = Number(option("--seed", "1"));

/** Whole numbers below n, the same for the same seed (mulberry32). */
function dice(seed) {
  let a = seed >>> 0;
  return (n) => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * n);
  };
}

/** Takes any action. */
function random(seed) {
  const below = dice(seed);
  return async (seat) => {
    const { total } = await seat.legal(0, 0);
    return (await seat.legal(below(total), 1)).actions[0];
  };
}

/** Takes the first move or pass while it holds few cards, and plays them while it holds many. */
function thrifty(seed) {
  const below = dice(seed);
  return async (seat) => {
    const [{ actions }, view] = [await seat.legal(), await seat.view()];
    const held = Object.values(view.zones).flatMap((zone) => zone[String(seat.player)] ?? []).length;
    return held < 6 ? actions[0] : actions[below(actions.length)];
  };
}

const engine = await Engine.start(command[0], command.slice(1));
const { book, title } = await engine.call("load", { game: option("--game", "kittens") });
let game = await engine.call("new", { book, players: 2, seed, ask: "all" });
const session = game.session;
const bots = [random(seed), thrifty(seed)];
let decisions = 0;
while (!game.over) {
  const player = game.waiting[0];
  const action = await bots[player](new Seat(engine, session, player));
  game = await engine.call("apply", { session, player, action, at: game.version });
  decisions += 1;
}
if (args.includes("--record")) {
  const { lines } = await engine.call("record", { session });
  writeFileSync(option("--record"), lines.map((line) => line + "\n").join(""));
}
console.log(JSON.stringify({ title, seed, decisions, winners: game.winners }));
await engine.quit();
