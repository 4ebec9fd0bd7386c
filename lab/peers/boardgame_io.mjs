// A move in a boardgame.io game until eight clients have it, all at this machine, over its own server and Socket.IO.
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import path from 'node:path';

const SAMPLES = Number(process.argv[2] ?? 200);
const CLIENTS = 8;
const SEATS = CLIENTS + 1; // the one who moves is not timed
const home = process.env.BOARDGAME_IO ?? process.cwd();
const require = createRequire(path.join(home, 'package.json'));
let Client, Server, Origins, SocketIO;
try {
  ({ Client } = require('boardgame.io/client'));
  ({ Server, Origins } = require('boardgame.io/server'));
  ({ SocketIO } = require('boardgame.io/multiplayer'));
} catch {
  console.error('boardgame.io is not installed (`npm install boardgame.io`, BOARDGAME_IO=its folder).');
  process.exit(3);
}

const free = () => new Promise((found) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => found(port));
  });
});

const game = {
  name: 'bench',
  setup: () => ({ cells: Array(64).fill(0), made: 0 }),
  moves: { mark: ({ G }, cell) => { G.cells[cell] += 1; G.made += 1; } },
  turn: { activePlayers: { all: 'play' }, stages: { play: {} } },
};

const quiet = console.log;
console.log = () => {};
const port = await free();
const server = Server({ games: [game], origins: [Origins.LOCALHOST] });
const running = await server.run({ port });

// A match that nobody made is made by the first client who asks for it.
const clients = [];
for (let id = 0; id < SEATS; id += 1) {
  const multiplayer = SocketIO({ server: `http://127.0.0.1:${port}` });
  clients.push(Client({ game, numPlayers: SEATS, matchID: 'bench', playerID: String(id), debug: false, multiplayer }));
  clients[id].start();
}
const until = (client, fact) => new Promise((done) => {
  if (fact(client.getState())) { done(performance.now()); return; }
  const stop = client.subscribe((state) => { if (fact(state)) { stop(); done(performance.now()); } });
});
await Promise.all(clients.map((client) => until(client, (state) => state && state.isConnected)));

const delays = [];
for (let number = 1; number <= SAMPLES; number += 1) {
  const others = clients.slice(1).map((client) => until(client, (state) => state && state.G.made >= number));
  const began = performance.now();
  clients[0].moves.mark(number % 64);
  for (const came of await Promise.all(others)) delays.push(came - began);
}
delays.sort((a, b) => a - b);
console.log = quiet;
const at = (share) => delays[Math.min(Math.floor(share * delays.length), delays.length - 1)];
const figure = { id: 'boardgame.tap', what: `boardgame.io: move → ${CLIENTS} clients have it`, value: at(0.5) };
console.log(JSON.stringify({ ...figure, of_100: at(0.99), count: delays.length, unit: 'ms', kind: 'time' }));
clients.forEach((client) => client.stop());
server.kill(running);
process.exit(0);
