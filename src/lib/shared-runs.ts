/** One run at a time per key. Calls during a run wait and share the next one, which gets the inputs of all of them. */
export interface SharedRuns<Input, Output> {
  join(key: string, input: Input, run: (inputs: readonly Input[]) => Promise<Output>): Promise<Output>;
}

interface Runs<Input, Output> {
  running?: Promise<Output>;
  next?: { inputs: Input[]; output: Promise<Output> };
}

export function createSharedRuns<Input, Output>(): SharedRuns<Input, Output> {
  const runsByKey = new Map<string, Runs<Input, Output>>();
  return {
    join(key, input, run) {
      const runs = runsByKey.get(key) ?? {};
      runsByKey.set(key, runs);
      const start = async (inputs: readonly Input[]) => {
        await runs.running?.catch(() => {});
        runs.next = undefined;
        runs.running = run(inputs);
        return runs.running.finally(() => {
          if (runs.next === undefined) runsByKey.delete(key);
        });
      };
      if (runs.next === undefined) {
        const inputs: Input[] = [];
        runs.next = { inputs, output: start(inputs) };
      }
      runs.next.inputs.push(input);
      return runs.next.output;
    },
  };
}
