import type { Exchange, Operation } from '../../src/exchange/index.ts';
import { makeContact } from '../../src/exchange/index.ts';
import type { Operation as ServerOperation } from '../../src/sandbox/exchange/index.ts';
import { bytesOf, fileOf, type Setup, user } from './exchange.ts';

export const anna = makeContact({ email: 'anna@example.org', number: '46701111111' });

/** An operation that needs a token, with its names in the client and on the service. */
export interface Call {
  name: Operation;
  endpoint: ServerOperation;
  run(exchange: Exchange, signal?: AbortSignal): Promise<unknown>;
}

export const calls: Call[] = [
  { name: 'readContacts', endpoint: 'contacts_read', run: (exchange, signal) => exchange.readContacts({ signal }) },
  {
    name: 'replaceContacts',
    endpoint: 'contacts_add',
    run: (exchange, signal) => exchange.replaceContacts([anna], { signal }),
  },
  {
    name: 'setReceivers',
    endpoint: 'receivers_set',
    run: (exchange, signal) => exchange.setReceivers([anna], { signal }),
  },
  { name: 'listFiles', endpoint: 'get_files', run: (exchange, signal) => exchange.listFiles({ signal }) },
  {
    name: 'removeFile',
    endpoint: 'remove_file',
    run: (exchange, signal) => exchange.removeFile('old.txt', { signal }),
  },
  { name: 'upload', endpoint: 'upload', run: (exchange, signal) => exchange.upload(fileOf('a.txt', 'A'), { signal }) },
  {
    name: 'createDispatch',
    endpoint: 'createdrop',
    run: (exchange, signal) => exchange.createDispatch({ expiresAfter: 7, message: 'm' }, { signal }),
  },
  {
    name: 'grantAccess',
    endpoint: 'givedrop',
    run: (exchange, signal) => exchange.grantAccess({ expiresAfter: 7, message: 'm' }, { signal }),
  },
  { name: 'readHistory', endpoint: 'get_history', run: (exchange, signal) => exchange.readHistory({ signal }) },
  {
    name: 'download',
    endpoint: 'download',
    run: async (exchange, signal) => {
      const { stream } = await exchange.download({ url: 'item', name: 'in.bin' }, { signal });
      return bytesOf(stream);
    },
  },
];

export const commits = calls.filter(({ name }) => name === 'createDispatch' || name === 'grantAccess');
export const repeatable = calls.filter((call) => !commits.includes(call));

/** Uploads a file, sets recipients and adds an inbox item, so that every call succeeds. Then clears the call log. */
export async function prepare({ exchange, account, server }: Setup): Promise<void> {
  await exchange.listFiles();
  await exchange.upload(fileOf('old.txt', 'old'));
  await exchange.setReceivers([anna]);
  const item = await server.addInboxItem(user, {
    sender: 'bo@example.org',
    files: [{ name: 'in.bin', data: 'I'.repeat(5000) }],
  });
  item.url = 'item';
  if (account.inbox[0] !== item) throw new Error('the inbox item is a copy');
  server.calls.length = 0;
}
