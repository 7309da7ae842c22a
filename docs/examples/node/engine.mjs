// A client for `rulebook engine`: JSON-RPC 2.0, one object a line. Plain Node, no packages.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** A request that the engine refused. `code` is the stable word, `data` all that came with it. */
export class EngineError extends Error {
  constructor(error) {
    super(error.message);
    this.name = "EngineError";
    this.number = error.code;
    this.code = error.data.code;
    this.data = error.data;
  }
}

/** A running engine. `call` may be used without waiting: the engine answers in order. */
export class Engine {
  #process;
  #waiting = new Map();
  #count = 0;
  #ended = null;

  constructor(command = "rulebook", args = ["engine"]) {
    this.#process = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
    createInterface({ input: this.#process.stdout }).on("line", (line) => this.#answer(JSON.parse(line)));
    this.#process.on("error", (error) => this.#end(error));
    this.#process.on("close", (code) => this.#end(new Error(`the engine has ended with code ${code}`)));
    this.#process.stdin.on("error", () => {}); // it has ended: `close` says so
  }

  /** Start an engine and see that it speaks our protocol. */
  static async start(command, args) {
    const engine = new Engine(command, args);
    engine.about = await engine.call("hello", { protocol: 1 });
    return engine;
  }

  /** The result of a method. Throws `EngineError` where the engine refuses. */
  call(method, params = {}) {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(this.#ended);
      const id = ++this.#count;
      this.#waiting.set(id, { resolve, reject });
      this.#process.stdin.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n");
    });
  }

  /** End the engine. */
  async quit() {
    await this.call("quit");
    this.#process.stdin.end();
  }

  #answer(answer) {
    const one = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (answer.error) one?.reject(new EngineError(answer.error));
    else one?.resolve(answer.result);
  }

  #end(reason) {
    this.#ended = reason;
    for (const one of this.#waiting.values()) one.reject(reason);
    this.#waiting.clear();
  }
}

/** What a bot gets: one player's part of a session, and nothing of the others'. */
export class Seat {
  constructor(engine, session, player) {
    this.engine = engine;
    this.session = session;
    this.player = player;
  }
  legal(from = 0, limit = 1000) {
    return this.engine.call("legal", { session: this.session, player: this.player, from, limit });
  }
  async view() {
    return (await this.engine.call("view", { session: this.session, player: this.player })).view;
  }
  async news(since = 0) {
    return (await this.engine.call("news", { session: this.session, player: this.player, since })).news;
  }
}
