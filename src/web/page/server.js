// What the page asks the server. Each tab of the browser keeps the name of its game, so that it finds it again.

const KEY = "kosumi-game";

// Milliseconds until the page asks again after a request that failed. (A guess: a short gap of a network.)
const RETRY = 2000;
// Milliseconds in which another tab says that it has this game. Browsers copy what a tab keeps when it is duplicated.
const HELD = 200;

export class Server {
  // `changed` is called with each new state, `troubled` with a message or null.
  constructor(changed, troubled) {
    this.changed = changed;
    this.troubled = troubled;
    this.name = sessionStorage.getItem(KEY);
    this.revision = -1;
    this.timer = 0;
    // The newest state that has come.
    this.newest = null;
    // Does the page show a trouble that ends with the next answer?
    this.isPassing = false;
    // Orders go one after another, so that the answers come in their order.
    this.last = Promise.resolve();
    this.tabs = new BroadcastChannel(KEY);
    this.tabs.addEventListener("message", ({ data }) => {
      if (data.asks && data.asks === this.name) this.tabs.postMessage({ has: this.name });
    });
  }

  // Orders wait until the game is there.
  open() {
    this.last = this.find();
    return this.last;
  }

  async find() {
    if (this.name && (await this.isHeld())) this.name = null;
    return this.name ? this.look() : this.begin();
  }

  // Does another tab show this game?
  isHeld() {
    const { name } = this;
    this.name = null;
    return new Promise((resolve) => {
      const end = (isHeld) => {
        clearTimeout(timer);
        this.tabs.removeEventListener("message", answered);
        this.name = name;
        resolve(isHeld);
      };
      const answered = ({ data }) => data.has === name && end(true);
      const timer = setTimeout(() => end(false), HELD);
      this.tabs.addEventListener("message", answered);
      this.tabs.postMessage({ asks: name });
    });
  }

  // `gone` says why there is no game any more, if there was one.
  async begin(gone) {
    const before = this.name;
    const answer = await this.ask("/api/open", { method: "POST" });
    if (!answer.ok) {
      this.troubled(await why(answer));
      return this.askIn(RETRY);
    }
    const state = await answer.json();
    this.name = state.game;
    this.revision = -1;
    sessionStorage.setItem(KEY, this.name);
    this.take(state);
    this.troubled(gone && before ? `${gone} The game before is gone, and this is a new one.` : null);
  }

  // Sends an order. Gives whether it was carried out.
  order(order) {
    const send = () => this.post(`/api/order?game=${this.name}`, JSON.stringify(order));
    this.last = this.last.then(send, send);
    return this.last;
  }

  load(bytes) {
    const send = () => this.post(`/api/load?game=${this.name}`, bytes);
    this.last = this.last.then(send, send);
    return this.last;
  }

  address(path) {
    return `/api/${path}?game=${this.name}`;
  }

  async post(path, body) {
    const answer = await this.ask(path, { method: "POST", body });
    if (answer.ok) {
      this.troubled(null);
      this.take(await answer.json());
      return true;
    }
    const reason = await why(answer);
    if (answer.status === 404) await this.begin(reason);
    else this.troubled(reason);
    return false;
  }

  async ask(path, options = {}) {
    try {
      const answer = await fetch(path, { cache: "no-store", ...options });
      const isTooOften = answer.status === 429;
      if (this.isPassing && !isTooOften) this.troubled(null);
      this.isPassing = isTooOften;
      return answer;
    } catch {
      this.isPassing = true;
      return new Response(JSON.stringify({ error: "Kosumi does not answer. Has the program ended?" }), { status: 599 });
    }
  }

  take(state) {
    // An answer that was overtaken by a later one tells nothing.
    if (state.revision >= this.revision) {
      this.revision = state.revision;
      this.newest = state;
      this.changed(state);
    }
    this.wait();
  }

  // News come quickly while something goes on, seldom else: a tab that never asks would be taken for closed.
  wait() {
    const state = this.newest;
    const soon = state.busy ? 150 : state.clocks.running ? 1000 : 30000;
    this.askIn(document.hidden ? Math.max(soon, 1000) : soon);
  }

  askIn(milliseconds) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look(), milliseconds);
  }

  // Asks for news.
  async look() {
    const answer = await this.ask(`/api/state?game=${this.name}&since=${this.revision}`);
    if (answer.status === 200) return this.take(await answer.json());
    if (answer.status === 404) return this.begin(await why(answer));
    // What is said of an order stays until the next order.
    if (!answer.ok) this.troubled(await why(answer));
    if (answer.ok && this.newest) this.wait();
    else this.askIn(RETRY);
  }
}

async function why(answer) {
  try {
    return (await answer.json()).error;
  } catch {
    return `Kosumi's answer has the number ${answer.status}.`;
  }
}
