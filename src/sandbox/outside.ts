import { type ScannerServer, testMalware } from './scanner.ts';
import { login, type Service, sendFromOutside } from './service.ts';
import type { OutsideWorld } from './slack/index.ts';

const sendFileAction = 'Linus sends a file';
const sendMalwareAction = 'Linus sends test malware';
const stopScannerAction = 'Stop the malware scanner';
const startScannerAction = 'Start the malware scanner';

/** The page's side panel: how to connect, what to try, and the emails with their links. */
export function outsideOf(service: Service, scanner?: ScannerServer): OutsideWorld {
  const { server } = service;
  const scannerActs = (): string[] => {
    if (scanner === undefined) return [];
    return [sendMalwareAction, scanner.behaviour.mode === 'works' ? stopScannerAction : startScannerAction];
  };
  return {
    snapshot: () => ({
      facts: [
        { label: 'Service URL', value: server.url },
        { label: 'Account', value: login.user },
        { label: 'API key', value: login.apiKey },
      ],
      steps: stepsOf(service),
      mails: server.outbox.map(({ at, to, subject, message, link }) => ({ at, to, subject, message, link })).reverse(),
      acts: [sendFileAction, ...scannerActs()],
    }),
    async act(name) {
      if (![sendFileAction, ...scannerActs()].includes(name)) throw new Error(`nothing happens by "${name}"`);
      if (name === sendFileAction) await sendFromOutside(service);
      if (name === sendMalwareAction) await sendFromOutside(service, testMalware);
      if (name === stopScannerAction) Object.assign(scanner?.behaviour ?? {}, { mode: 'closes' });
      if (name === startScannerAction) scanner?.reset();
    },
  };
}

function stepsOf({ server, account }: Service): { text: string; isDone: boolean }[] {
  const sent = account.drops.filter(({ type }) => type === 'downloadfiles');
  return [
    {
      text: 'As Anna, type `/drop connect`. Use the URL and account below, choose #inbox and “days”, then enter the API key.',
      isDone: server.calls.some(({ operation, outcome }) => operation === 'contacts_read' && outcome === 'done'),
    },
    {
      text: 'As Bo, open Dropline under Apps, send it a file, click Send, and choose Ada.',
      isDone: sent.length > 0,
    },
    {
      text: "Open Ada's link from the email below and download the file.",
      isDone: sent.some(({ pages }) => pages.some(({ taken }) => taken.length > 0)),
    },
    {
      text: 'Click “Linus sends a file” below and see the file in #inbox.',
      isDone: account.inbox.length > 1,
    },
    { text: 'As Gus, a guest, try `/drop send`.', isDone: false },
    { text: 'Use it with your own Slack: `npm run setup`', isDone: false },
  ];
}
