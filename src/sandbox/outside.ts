import type { Clock } from './clock.ts';
import { subcommands } from './commands.ts';
import { legalUser, login, type Service } from './service.ts';
import { type Simulated, simulationsOf } from './simulate.ts';
import type { Json, OutsideWorld } from './slack/index.ts';
import { enterKey, fillConnectForm, type SandboxWorkspace } from './workspace.ts';

/** The page's side panel (what to try, the account, the emails), and the buttons that fill in Dropline's forms. */
export function outsideOf(simulated: Simulated, clock: Pick<Clock, 'passedMs'>): OutsideWorld {
  const { service, acme } = simulated;
  const { server } = service;
  const account = { url: server.url, ...login };
  const steps = stepsOf(service).map((step) => ({ ...step, isDone: false }));
  /** The buttons that fill in a form, by the form's title. */
  const fillers: Record<string, { label: string; fill: typeof fillConnectForm }> = {
    'Connect Dropline': { label: 'Fill in for me', fill: fillConnectForm },
    'Enter the API key': { label: 'Enter the key for me', fill: enterKey },
  };
  const simulations = () =>
    Object.entries(simulationsOf(simulated)).flatMap(([group, list]) => list.map((one) => ({ group, ...one })));
  return {
    snapshot: () => ({
      facts: [
        { label: 'Service URL', value: account.url },
        { label: 'Account', value: account.user },
        { label: 'API key', value: account.apiKey },
        { label: 'Another account', value: legalUser },
      ],
      steps: steps.map((step) => {
        const workspace = acme();
        // A step stays done, even if its messages are deleted later.
        step.isDone ||= workspace !== undefined && step.isDoneIn(workspace);
        return { text: step.text, isDone: step.isDone };
      }),
      next: 'Your own Slack: `npm run setup`',
      mails: server.outbox.map(({ at, to, subject, message, link }) => ({ at, to, subject, message, link })).reverse(),
      simulations: simulations().map(({ run: _, ...shown }) => shown),
      passedMs: clock.passedMs,
    }),
    async simulate(name) {
      const chosen = simulations().find((one) => one.name === name);
      if (chosen === undefined) throw new Error(`unknown action: ${name}`);
      await chosen.run();
    },
    subcommands,
    fillLabelFor: (title) => fillers[title]?.label,
    async fill(title, personId) {
      const person = acme()?.workspace.people.find(({ id }) => id === personId);
      if (person !== undefined) await fillers[title]?.fill(person, account);
    },
  };
}

interface Step {
  text: string;
  isDoneIn(acme: SandboxWorkspace): boolean;
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

/** What the app has posted in #general and #inbox. There are posts only once an admin has chosen an inbox channel. */
function postsIn({ workspace }: SandboxWorkspace): string[] {
  const channels = workspace.channels.filter(({ name }) => ['general', 'inbox'].includes(name));
  const posts = channels.flatMap(({ messages }) => messages);
  const isPost = ({ appId, ephemeralTo }: (typeof posts)[number]) => appId !== undefined && ephemeralTo === undefined;
  return posts.filter(isPost).map((post) => JSON.stringify(post));
}
