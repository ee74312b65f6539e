/** One of the things that `npm run bench` shows; by its name it also runs alone. */
export interface Part {
  name: string;
  /** What it shows, in a line. */
  shows: string;
  run(bench: Bench): Promise<void>;
}

export interface Bench {
  /** The port of the two plain ends of a relay (see servers.ts). */
  port: string;
  print(text: string): void;
}
