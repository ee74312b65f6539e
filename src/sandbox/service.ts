import { type Account, type ExchangeServer, startExchangeServer } from './exchange/index.ts';

export const login = { user: 'sandbox@dropline.example', apiKey: 'sandbox-key' };
/** Another account, with the same key. */
export const legalUser = 'legal@dropline.example';

export interface Service {
  server: ExchangeServer;
  account: Account;
}

/** The file-exchange service with an account, a few contacts and an inbox item, and another account to connect. */
export async function startService(port: number): Promise<Service> {
  const server = await startExchangeServer({ port });
  const account = server.addAccount({
    ...login,
    global: [
      { email: 'helpdesk@dropline.example', number: '46700000003', language: 'en', groups: [], nick: 'Helpdesk' },
    ],
  });
  account.contacts.local = [
    { email: 'ada@partner.example', number: '46700000001', language: 'en', groups: ['partners'], nick: 'Ada' },
    {
      email: 'linus@partner.example',
      number: '46700000002',
      language: 'sv',
      groups: ['partners', 'press'],
      nick: 'Linus',
    },
    { email: 'grace@press.example', number: '46700000004', language: 'en', groups: ['press'], nick: 'Grace' },
  ];
  const legal = server.addAccount({ ...login, user: legalUser });
  legal.contacts.local = [
    { email: 'vera@court.example', number: '46700000005', language: 'en', groups: [], nick: 'Vera' },
  ];
  await server.addInboxItem(login.user, {
    sender: 'ada@partner.example',
    files: [
      { name: 'notes.txt', data: 'The figures are in the table.\n', type: 'text/plain' },
      { name: 'figures.csv', data: 'month,amount\nJanuary,12\nFebruary,15\n', type: 'text/csv' },
    ],
  });
  return { server, account };
}

/** A contact uploads a file that wasn't requested. */
export async function sendFromOutside(
  { server }: Service,
  content = 'Minutes, written down',
  [user, sender] = [login.user, 'linus@partner.example'],
): Promise<void> {
  const at = new Date().toISOString().slice(11, 19);
  await server.addInboxItem(user, {
    sender,
    files: [{ name: `minutes-${at.replaceAll(':', '')}.txt`, data: `${content} at ${at}.\n`, type: 'text/plain' }],
  });
}
