import type { ChildProcess } from 'node:child_process';

type Answers = Record<string, (argument: never) => unknown>;

/** Calls a function by name in another process. */
export type Ask<T extends Answers> = <K extends keyof T & string>(
  name: K,
  ...argument: Parameters<T[K]>
) => Promise<Awaited<ReturnType<T[K]>>>;

interface Reply {
  id: number;
  answer?: unknown;
  failure?: string;
}

/** Answers calls from the parent process. */
export function answerAsks(answers: Answers): void {
  process.on('message', async ({ id, name, argument }: { id: number; name: string; argument: never }) => {
    try {
      process.send?.({ id, answer: await answers[name]?.(argument) });
    } catch (error) {
      process.send?.({ id, failure: String(error) });
    }
  });
  process.once('disconnect', () => process.exit());
}

export function createAsk<T extends Answers>(child: ChildProcess): Ask<T> {
  const waiting = new Map<number, (reply: Reply) => void>();
  let count = 0;
  child.on('message', (reply: Reply) => {
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  });
  return (name, argument?: unknown) =>
    new Promise((resolve, reject) => {
      count += 1;
      waiting.set(count, ({ answer, failure }) =>
        failure === undefined ? resolve(answer as never) : reject(new Error(failure)),
      );
      child.send({ id: count, name, argument });
    });
}
