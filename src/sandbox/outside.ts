import { subcommands } from './commands.ts';
import { type ScannerServer, testMalware } from './scanner.ts';
import { login, type Service, sendFromOutside } from './service.ts';
import type { Json, OutsideWorld } from './slack/index.ts';
import { type Acme, enterKey, fillConnectForm } from './workspace.ts';

const sendFileAction = 'Linus sends a file';
const sendMalwareAction = 'Linus sends test malware';
const stopScannerAction = 'Stop the malware scanner';
const startScannerAction = 'Start the malware scanner';
const uninstallAction = {
  name: 'Uninstall Dropline',
  confirm: 'Uninstall Dropline from Acme? Its data of this workspace is deleted. You can install it again.',
};
const isInstalled = (acme: Acme | undefined) => acme?.workspace.installation !== undefined;

/** The page's side panel (what to try, the account, the emails), and the offers to fill in Dropline's forms. */
export function outsideOf(service: Service, acme: () => Acme | undefined, scanner?: ScannerServer): OutsideWorld {
  const { server } = service;
  const account = { url: server.url, ...login };
  const steps = stepsOf(service).map((step) => ({ ...step, isDone: false }));
  /** The buttons that fill in a form, by the form's title. */
  const fillers: Record<string, { label: string; fill: typeof fillConnectForm }> = {
    'Connect Dropline': { label: 'Fill in for me', fill: fillConnectForm },
    'Enter the API key': { label: 'Enter the key for me', fill: enterKey },
  };
  const scannerActs = (): string[] => {
    if (scanner === undefined) return [];
    return [sendMalwareAction, scanner.behaviour.mode === 'works' ? stopScannerAction : startScannerAction];
  };
  return {
    snapshot: () => ({
      facts: [
        { label: 'Service URL', value: account.url },
        { label: 'Account', value: account.user },
        { label: 'API key', value: account.apiKey },
      ],
      steps: steps.map((step) => {
        const workspace = acme();
        // A step stays done, even if its messages are deleted later.
        step.isDone ||= workspace !== undefined && step.isDoneIn(workspace);
        return { text: step.text, isDone: step.isDone };
      }),
      next: 'Your own Slack: `npm run setup`',
      mails: server.outbox.map(({ at, to, subject, message, link }) => ({ at, to, subject, message, link })).reverse(),
      acts: [
        { name: sendFileAction },
        ...scannerActs().map((name) => ({ name })),
        ...(isInstalled(acme()) ? [uninstallAction] : []),
      ],
    }),
    async act(name) {
      if (name === uninstallAction.name) acme()?.workspace.uninstall();
      else if (name === sendFileAction) await sendFromOutside(service);
      else if (!scannerActs().includes(name)) throw new Error(`unknown action: ${name}`);
      else if (name === sendMalwareAction) await sendFromOutside(service, testMalware);
      else if (name === stopScannerAction) Object.assign(scanner?.behaviour ?? {}, { mode: 'closes' });
      else scanner?.reset();
    },
    subcommands,
    offerFor: (title) => fillers[title]?.label,
    async fill(title, personId) {
      const person = acme()?.workspace.people.find(({ id }) => id === personId);
      if (person !== undefined) await fillers[title]?.fill(person, account);
    },
  };
}

interface Step {
  text: string;
  isDoneIn(acme: Acme): boolean;
}

function stepsOf({ account }: Service): Step[] {
  const sent = () => account.drops.filter(({ type }) => type === 'downloadfiles');
  return [
    {
      text: 'Click Connect, Fill in for me (#inbox, days).',
      isDoneIn: (acme) => postsIn(acme).length > 0,
    },
    { text: 'Send Ada a file: `/drop send`', isDoneIn: () => sent().length > 0 },
    {
      text: 'Download it with Ada’s link.',
      isDoneIn: () => sent().some(({ pages }) => pages.some(({ taken }) => taken.length > 0)),
    },
    {
      text: 'Click “Linus sends a file”, open #inbox.',
      isDoneIn: (acme) => postsIn(acme).some((text) => text.includes('minutes-')),
    },
    {
      text: 'Turn on requests, ask Ada for a file: `/drop request`',
      isDoneIn: () => account.drops.some(({ type }) => type === 'uploadfiles'),
    },
    {
      text: 'As Gus, try `/drop send`.',
      isDoneIn: ({ slack, workspace }) =>
        slack.deliveries.some(
          ({ kind, payload }) => kind === 'slash_command' && isCommand(payload, workspace.person('Gus').id),
        ),
    },
  ];
}

const isCommand = ({ user_id: user, text }: Json, person: string) => user === person && String(text).startsWith('send');

/** What the app has posted in channels. It posts there only if an admin has chosen a channel for incoming files. */
function postsIn({ workspace }: Acme): string[] {
  const shared = workspace.channels.filter(({ name }) => ['general', 'inbox'].includes(name));
  const posts = shared.flatMap(({ messages }) => messages);
  const isPost = ({ appId, ephemeralTo }: (typeof posts)[number]) => appId !== undefined && ephemeralTo === undefined;
  return posts.filter(isPost).map((post) => JSON.stringify(post));
}
