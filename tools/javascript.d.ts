// Types for the checks of the JavaScript (`make check`). Browsers never load this file.

/** Attributes and listeners of an element that `h` of ui.js makes. */
type Props = Record<string, any>;

/** The content of an element: nodes, text, lists of them; null, undefined and false are left out. */
type Kids = any;

/** A view of the game for one viewer, as the table sends it; a game adds its own parts. */
interface Picture {
  viewer: string;
  game: string;
  map: string | null;
  revision: number;
  stage: "lobby" | "playing" | "over";
  paused: string | null;
  seats: Record<string, any>;
  board: any;
  log: LogEntry[];
  [part: string]: any;
}

/** A sentence of the log; `public` if everyone was told. */
interface LogEntry {
  n: number;
  type: string;
  sentence: string;
  public: boolean;
  [fact: string]: any;
}

/** How new log entries are read out: see `News` of news.js. */
interface Reading {
  among?: (entry: LogEntry) => boolean;
  routine?: (entry: LogEntry) => boolean;
  toneOf?: (entries: LogEntry[]) => string;
  delayOf?: (entries: LogEntry[]) => number;
}

/** A seat that sends actions: `Seat` of net.js. */
interface Acting {
  name: string;
  ready: boolean;
  act(action: object): Promise<boolean> | boolean;
}

/** A space of a map: its outline, its centre, and facts from the drawing. */
interface Space {
  id: string;
  d: string;
  x: number;
  y: number;
  sector?: string;
  objective?: string;
  name?: string;
  window?: string;
}

/** A space to choose on a map, with the class of its light. */
interface Offer {
  space: string;
  kind: string;
  label: string;
  on?: string | null;
}

/** What a page wants to know of taps and drags on a map: see `GameMap` of map.js. */
interface MapListeners {
  onTap?: (space: string) => any;
  focus?: () => string[];
  begins?: (space: string) => boolean;
  onStep?: (space: string) => any;
  onDrawn?: () => any;
  carries?: (space: string) => string | null;
  onLift?: (piece: string) => any;
  onDrop?: (piece: string, space: string) => any;
  whole?: boolean;
}

interface DocumentEventMap {
  /** A new picture, for parts of a page that want each. */
  picture: CustomEvent<Picture>;
}

interface Element {
  /** The facts that `paint` of ui.js last painted the element for. */
  painted?: string;
}
