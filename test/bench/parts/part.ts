/** A part of `npm run bench`. Its name selects it on the command line. */
export interface Part {
  name: string;
  /** What it shows, in one line. */
  description: string;
  run(bench: Bench): Promise<void>;
}

export interface Bench {
  /** The port of the server that is both source and sink of a relay (see servers.ts). */
  port: string;
  print(text: string): void;
  /** Reports a result for `--save` and `--compare`. */
  addFigure(figure: Figure): void;
}

/** One result of one run. Report a ratio to a baseline where possible, because it depends less on the machine. */
export interface Figure {
  /** Unique in its part. Runs are matched by name, so a figure that measures something else needs a new name. */
  name: string;
  value: number;
  /** Printed after the value: `ms`, `MB`, `x curl`. Counts have none. */
  unit?: string;
  better: 'higher' | 'lower';
}
