import type { ChildProcess } from 'node:child_process';

type Handlers = Record<string, (argument: never) => unknown>;

/** Calls a function by name in another process. */
export type RemoteCall<T extends Handlers> = <K extends keyof T & string>(
  name: K,
  ...argument: Parameters<T[K]>
) => Promise<Awaited<ReturnType<T[K]>>>;

interface Reply {
  id: number;
  answer?: unknown;
  failure?: string;
}

/** Runs the named handler for each call from the parent process. Exits when the parent disconnects. */
export function serveCalls(handlers: Handlers): void {
  process.on('message', async ({ id, name, argument }: { id: number; name: string; argument: never }) => {
    try {
      process.send?.({ id, answer: await handlers[name]?.(argument) });
    } catch (error) {
      process.send?.({ id, failure: String(error) });
    }
  });
  process.once('disconnect', () => process.exit());
}

export function createRemoteCall<T extends Handlers>(child: ChildProcess): RemoteCall<T> {
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
