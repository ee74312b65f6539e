import { login, type Service, sendFromOutside } from './service.ts';
import type { OutsideWorld } from './slack/index.ts';

const arrival = 'Linus sends a file to the inbox';

/** The panel beside the workspace: how to connect, what to try, and the emails with their links. */
export function outsideOf(service: Service): OutsideWorld {
  const { server } = service;
  return {
    look: () => ({
      facts: [
        { label: 'Address', value: server.url },
        { label: 'Account', value: login.user },
        { label: 'API key', value: login.apiKey },
      ],
      steps: stepsOf(service),
      mails: server.outbox.map(({ at, to, subject, message, link }) => ({ at, to, subject, message, link })).reverse(),
      acts: [arrival],
    }),
    async act(name) {
      if (name !== arrival) throw new Error(`nothing happens by "${name}"`);
      await sendFromOutside(service);
    },
  };
}

function stepsOf({ server, account }: Service): { words: string; isDone: boolean }[] {
  const sent = account.drops.filter(({ type }) => type === 'downloadfiles');
  return [
    {
      words:
        'As Anna, type `/drop connect`, enter the address and account below, choose #inbox, and enter the API key on the page that opens.',
      isDone: server.calls.some(({ operation, outcome }) => operation === 'contacts_read' && outcome === 'done'),
    },
    {
      words: 'As Bo, open Dropline under Apps, share any file there, click Send, and choose Ada.',
      isDone: sent.length > 0,
    },
    {
      words: 'Be Ada: open her page from the mail below, and download the file.',
      isDone: sent.some(({ pages }) => pages.some(({ taken }) => taken.length > 0)),
    },
    {
      words: 'Let Linus send a file, with the button at the end, and see it announced in #inbox.',
      isDone: account.inbox.length > 1,
    },
    { words: 'As Gus, a guest, try `/drop send`.', isDone: false },
  ];
}
