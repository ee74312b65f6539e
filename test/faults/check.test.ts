import { expect, test } from 'vitest';
import { testMalware } from '../../src/sandbox/scanner.ts';
import { sha256 } from '../helpers/features.ts';
import type { ActionResult } from './action-context.ts';
import { check } from './check.ts';
import { checkPausedDownloads } from './check-pauses.ts';
import { checkPlanned } from './check-transfers.ts';
import type { AccountFacts, Facts, WorkspaceFacts } from './facts.ts';
import type { Action, Arrival, Contact, Edit, Fetch, Request, Send } from './plan.ts';

const contact = (name: string): Contact => ({ email: `${name}@example.org`, number: '46700000001', nick: name });
const [carl, dora, emil] = [contact('carl'), contact('dora'), contact('emil')];
const renamed = { ...emil, nick: 'Emil the second' };

const file = { name: 'a1-0.txt', data: 'the plan' };
const arrived = { name: 'in1.txt', data: 'the reply' };

const send: Send = {
  kind: 'send',
  id: 'a1',
  pauseMs: 0,
  by: 'form',
  files: [file],
  to: [carl],
  message: 'Hello',
  expiresAfter: 7,
  isClickedTwice: false,
  isCancelled: false,
};
const request: Request = {
  kind: 'request',
  id: 'a2',
  pauseMs: 0,
  to: [dora],
  message: 'Please',
  expiresAfter: 3,
  isClickedTwice: false,
};
const edit: Edit = { kind: 'edit', id: 'a3', pauseMs: 0, by: 'form', contact: renamed };
const fetched: Fetch = { kind: 'fetch', id: 'a4', pauseMs: 0, file: arrived.name, isClickedTwice: false };

const itemBefore = { workspace: 'Acme', file: arrived.name, isDownloaded: false, isDue: false, reminders: 0 };

const resultOf = (action: Action, more: Partial<ActionResult> = {}): ActionResult => ({
  workspace: 'Acme',
  person: 'Bo',
  action,
  progress: 'accepted',
  formText: '',
  error: '',
  ...more,
});

/** A run without violations. */
function correctRun() {
  const actions = [
    resultOf(send),
    resultOf(request),
    resultOf(edit, { formText: 'Contact changed.' }),
    resultOf(fetched),
  ];
  const bo = {
    name: 'Bo',
    messages: [
      `✅ Sent\n${file.name} (8 bytes)\nto ${carl.email}`,
      `Requested files from 1 person: ${dora.email}\nNo uploads yet.`,
      `“${arrived.name}” from someone@elsewhere.example\n(file: ${arrived.name})`,
    ],
  };
  const account: AccountFacts = {
    name: 'api@example.com',
    drops: [{ files: [{ name: file.name, sha256: sha256(file.data) }], receivers: [carl], message: 'Hello', ttl: 7 }],
    pages: [{ contact: dora, message: 'Please', ttl: 3 }],
    contacts: [carl, dora, renamed],
    unanswered: { send: 0, request: 0 },
  };
  const workspace: WorkspaceFacts = {
    name: 'Acme',
    account: account.name,
    people: [bo],
    inbox: ['New files will be posted here.', `1 file from someone@elsewhere.example: ${arrived.name}`],
    files: [{ name: arrived.name, sha256: sha256(arrived.data) }],
    unconfirmedPosts: 0,
    refused: [],
  };
  const facts: Facts = {
    plan: {
      seed: 0,
      service: {},
      accounts: [{ name: account.name, contacts: [carl, dora, emil] }],
      workspaces: [
        { name: 'Acme', account: account.name, people: [{ name: 'Bo', actions: actions.map(({ action }) => action) }] },
      ],
      arrivals: [{ afterMs: 0, account: account.name, sender: 'someone@elsewhere.example', file: arrived }],
      faults: [],
    },
    results: actions,
    accounts: [account],
    workspaces: [workspace],
    kills: 0,
    outages: 0,
  };
  const [transfer] = account.drops;
  const [page] = account.pages;
  const [sending, requesting, editing] = actions;
  if (!transfer || !page || !sending || !requesting || !editing) throw new Error('the fixture is incomplete');
  return { facts, account, workspace, bo, transfer, page, sending, requesting, editing };
}

type RunFixture = ReturnType<typeof correctRun>;

test('the check of a fault run accepts a run without violations', () => {
  expect(check(correctRun().facts)).toEqual({ violations: [], repeated: 0, stale: 0, unknown: 0, reminders: 0 });
});

const broken: [what: string, breakRun: (run: RunFixture) => void, violation: string | RegExp][] = [
  ['a transfer made twice', ({ account, transfer }) => account.drops.push(transfer), 'a1: made 2 times'],
  ['a missing transfer', ({ account }) => account.drops.pop(), 'a1: reported as sent but never made'],
  ['a wrong recipient', ({ transfer }) => transfer.receivers.splice(0, 1, dora), /a1: different recipients.*dora/],
  ['an extra recipient', ({ transfer }) => transfer.receivers.push(dora), /a1: different recipients.*carl.*dora/],
  [
    'a recipient with another number',
    ({ transfer }) => transfer.receivers.splice(0, 1, { ...carl, number: '1' }),
    /a1: different r/,
  ],
  [
    'a file with other bytes',
    ({ transfer }) => transfer.files.splice(0, 1, { name: file.name, sha256: 'x' }),
    /a1: other files/,
  ],
  [
    "another person's file",
    ({ transfer }) => transfer.files.push({ name: 'b1-0.txt', sha256: 'x' }),
    /a1: other files.*b1/,
  ],
  [
    'malware that was sent',
    ({ sending, transfer }) => {
      const infected = { ...file, data: testMalware };
      sending.action = { ...send, files: [infected] };
      transfer.files.splice(0, 1, { name: file.name, sha256: sha256(testMalware) });
    },
    'a1: malware was sent',
  ],
  [
    'malware that was delivered',
    ({ facts, workspace }) => {
      facts.plan.arrivals[0] = { ...(facts.plan.arrivals[0] as Arrival), file: { ...arrived, data: testMalware } };
      workspace.files = [{ name: arrived.name, sha256: sha256(testMalware) }];
    },
    /in1\.txt has malware and was delivered/,
  ],
  ['a wrong message', ({ transfer }) => Object.assign(transfer, { message: 'x' }), 'a1: another message: x'],
  ['a wrong expiry', ({ transfer }) => Object.assign(transfer, { ttl: 1 }), 'a1: different expiry: 1'],
  [
    'a transfer of unknown origin',
    ({ account, transfer }) => account.drops.push({ ...transfer, files: [{ name: 'x', sha256: '' }] }),
    /without a confirmation: x/,
  ],
  ['a sender without a report', ({ bo }) => bo.messages.splice(0, 1), /a1: accepted, but no outcome/],
  [
    'a card that never shows an outcome',
    ({ bo }) => bo.messages.splice(0, 1, `Queued\n${file.name}`),
    /a1: accepted, but no outcome/,
  ],
  [
    'a false failure',
    ({ bo }) => bo.messages.splice(0, 1, `⚠️ Not sent\n${file.name}`),
    'a1: reported as not sent but made',
  ],
  [
    'a false cancellation',
    ({ bo }) => bo.messages.splice(0, 1, `Cancelled\n${file.name}`),
    'a1: reported as cancelled but made',
  ],
  [
    'contradicting reports',
    ({ bo }) => bo.messages.push(`⚠️ Not sent\n${file.name}`),
    'a1: reported in two ways: sent, not sent',
  ],
  ['a stale card', ({ bo }) => bo.messages.push(`Sending\n${file.name}`), /1 stale cards, but at most 0/],
  [
    'an unknown outcome without a reason',
    ({ bo }) => bo.messages.splice(0, 1, `⚠️ Delivery unconfirmed\n${file.name}`),
    'a1: reported as unknown although every call was answered',
  ],
  [
    'a "probably not sent" without a reason',
    ({ bo }) => bo.messages.splice(0, 1, `⚠️ Probably not sent\n${file.name}`),
    'a1: reported as probably not sent although every call was answered',
  ],
  [
    'a wrong final report after a tentative one',
    ({ bo }) => bo.messages.splice(0, 1, `⚠️ Probably not sent\n${file.name}`, `⚠️ Not sent\n${file.name}`),
    'a1: reported as not sent but made',
  ],
  [
    'a false difference',
    ({ bo }) => bo.messages.splice(0, 1, `⚠️ Sent with differences\n${file.name}`),
    'a1: reported as sent with differences',
  ],
  [
    'a transfer that was not confirmed',
    ({ sending }) => Object.assign(sending, { progress: 'not submitted' }),
    /a1: made without a confirmation/,
  ],
  [
    'an upload page for a wrong contact',
    ({ page }) => Object.assign(page, { contact: carl }),
    /a2: confirmed for dora.*asked carl/,
  ],
  [
    'a duplicated upload page',
    ({ account, page }) => account.pages.push(page),
    /a2: confirmed for dora.*asked dora.*dora/,
  ],
  ['a missing upload page', ({ account }) => account.pages.pop(), 'a2: reported as sent but never made'],
  ['a requester without a report', ({ bo }) => bo.messages.splice(1, 1), /a2: accepted, but no outcome/],
  ['a lost contact', ({ account }) => account.contacts.splice(0, 1), /lost the contact carl/],
  [
    'an altered contact',
    ({ account }) => account.contacts.splice(0, 1, { ...carl, nick: 'x' }),
    /altered the contact carl/,
  ],
  ['a duplicated contact', ({ account }) => account.contacts.push(carl), /has the contact carl@example.org 2 times/],
  ['a contact of unknown origin', ({ account }) => account.contacts.push(contact('x')), /has an unknown contact x/],
  [
    'an edit reported but not made',
    ({ account }) => account.contacts.splice(2, 1, emil),
    /a3: reported as done but not made/,
  ],
  [
    'an edit made but reported as unchanged',
    ({ editing }) => Object.assign(editing, { formText: 'Nothing was changed.' }),
    /a3: reported as unchanged/,
  ],
  [
    'an edit without a report',
    ({ editing }) => Object.assign(editing, { formText: '' }),
    /a3: accepted, but no outcome/,
  ],
  ['a missing post', ({ workspace }) => workspace.inbox.pop(), 'Acme: in1.txt was never announced'],
  [
    'a repeated post',
    ({ workspace }) => workspace.inbox.push(workspace.inbox[1] ?? ''),
    /1 posts were repeated, but at most 0/,
  ],
  [
    'more repeated posts than a kill can explain',
    ({ facts, workspace, requesting }) => {
      facts.kills = 1;
      requesting.progress = 'not submitted';
      workspace.inbox.push(workspace.inbox[1] ?? '', workspace.inbox[1] ?? '');
    },
    /2 posts were repeated, but at most 1/,
  ],
  [
    'an item announced before its digest',
    ({ facts }) => Object.assign(facts.plan.workspaces[0] ?? {}, { digest: 'hour', endsDigest: false }),
    'Acme: in1.txt was announced before the digest',
  ],
  [
    'an item of a digest that is announced again',
    ({ workspace }) => workspace.inbox.push(`Digest: 1 new item\n${workspace.inbox[1]}`),
    /1 posts were repeated, but at most 0/,
  ],
  [
    'a post in the wrong conversation',
    ({ bo, workspace }) => bo.messages.push(workspace.inbox.pop() ?? ''),
    /in1.txt was announced to a person who did not request it/,
  ],
  ['a file that never arrived', ({ bo }) => bo.messages.splice(2, 1), 'a4: Bo never got in1.txt'],
  [
    'a truncated file',
    ({ workspace }) => workspace.files.push({ name: arrived.name, sha256: sha256('the') }),
    'Acme: in1.txt arrived with different content',
  ],
  [
    'a repeated reminder',
    ({ workspace }) => workspace.inbox.push(...[1, 2].map(() => `Not downloaded yet. 1 file from x: ${arrived.name}.`)),
    'Acme: people were reminded of in1.txt twice',
  ],
  [
    'a repeated reminder for a requester',
    ({ bo }) => bo.messages.push(...[1, 2].map(() => `No one has downloaded the files you requested\n${arrived.name}`)),
    'Acme: people were reminded of in1.txt twice',
  ],
  [
    'a reminder after the download',
    ({ facts, workspace }) => {
      facts.itemsBefore = [{ ...itemBefore, isDownloaded: true }];
      workspace.inbox.push(`Not downloaded yet. 1 file from x: ${arrived.name}.`);
    },
    'Acme: people were reminded of in1.txt after its download',
  ],
  [
    'a missing reminder',
    ({ facts }) => {
      facts.itemsBefore = [{ ...itemBefore, isDue: true }];
    },
    'Acme: nobody was reminded of in1.txt',
  ],
  [
    'a repeated reminder of a request',
    ({ bo }) => bo.messages.push(...[1, 2].map(() => `No uploads yet from ${dora.email}\nYour request expires`)),
    'Acme: Bo was reminded of 2 requests',
  ],
  [
    'a call that Slack refused',
    ({ workspace }) => workspace.refused.push('chat.update: invalid_blocks'),
    /refused chat.update/,
  ],
];

test.each(broken)('the check of a fault run reports %s', (_, breakRun, violation) => {
  const run = correctRun();
  breakRun(run);
  const { violations } = check(run.facts);
  expect(violations).toContainEqual(typeof violation === 'string' ? violation : expect.stringMatching(violation));
});

test.each(['Probably not sent', 'Delivery unconfirmed'])(
  'the check of a fault run accepts the report "%s" besides the final report',
  (report) => {
    const { facts, bo } = correctRun();
    bo.messages.push(`⚠️ ${report}\n${file.name}`);
    expect(check(facts).violations).toEqual([]);
  },
);

test('unknown outcomes, failures, repeats and stale cards are accepted after faults', () => {
  const { facts, account, workspace, bo } = correctRun();
  account.drops.pop();
  bo.messages.splice(0, 1, `⚠️ Not sent\n${file.name}`);
  account.pages.pop();
  account.unanswered.request = 1;
  bo.messages.splice(1, 1, `⚠️ Request unconfirmed: ${dora.email}`);
  workspace.inbox.push(workspace.inbox[1] ?? '');
  bo.messages.push(`Queued\n${file.name}`);
  facts.kills = 1;
  expect(check(facts)).toEqual({ violations: [], repeated: 1, stale: 1, unknown: 1, reminders: 0 });
});

test('the check of a fault run ignores replies that begin like a stale card', () => {
  const { facts, bo } = correctRun();
  bo.messages.push("Waiting for approval. I'll update you in our direct messages.", 'Sending: paused.');
  expect(check(facts).stale).toBe(0);
});

test("the check of a fault run reports a transfer without another person's approval", () => {
  const { facts } = correctRun();
  const withDecisions = (decisions: NonNullable<Facts['decisions']>): Facts => ({
    ...facts,
    plan: { ...facts.plan, workspaces: facts.plan.workspaces.map((one) => ({ ...one, needsApproval: true })) },
    decisions,
  });
  const approval = (by: string) =>
    [send.id, request.id].map((action) => ({ workspace: 'Acme', action, by, choice: 'approve' as const }));
  expect(check(withDecisions(approval('Anna'))).violations).toEqual([]);
  const unapproved = [send.id, request.id].map((id) => `${id}: made without the approval of another person`);
  expect(check(withDecisions([])).violations).toEqual(unapproved);
  expect(check(withDecisions(approval('Bo'))).violations).toEqual(unapproved);
  const declined = approval('Anna').map((one) => ({ ...one, choice: 'decline' as const }));
  expect(check(withDecisions(declined)).violations).toEqual(unapproved);
});

test("the check of a fault run reports a card that shows another person's transfer", () => {
  const { facts } = correctRun();
  const viewedBy = (person: string) => [{ workspace: 'Acme', person, text: `Sent\n${file.name}` }];
  expect(check({ ...facts, cardViews: viewedBy('Bo') }).violations).toEqual([]);
  expect(check({ ...facts, cardViews: viewedBy('Cleo') }).violations).toEqual([
    `${send.id}: shown to Cleo of Acme on the card of a contact`,
  ]);
  // Everyone can see the inbox, so the answer to another person's request is no secret.
  const answer = [{ workspace: 'Acme', person: 'Cleo', text: `Received\n${send.id}-answer.txt` }];
  expect(check({ ...facts, cardViews: answer }).violations).toEqual([]);
});

test('the check of a fault run reports a download accepted during a pause', () => {
  const pause = { workspace: 'T1', workspaceName: 'Acme', target: 'downloads' as const, from: 100, until: 200 };
  const at = (clickedAt: number, answeredAt: number) => resultOf(fetched, { accepted: { clickedAt, answeredAt } });
  const found = (...results: ActionResult[]) => checkPausedDownloads([pause], results);
  expect(found(at(110, 190))).toEqual([`${fetched.id}: a download was accepted during a pause`]);
  for (const allowed of [at(90, 190), at(110, 210), resultOf(fetched), { ...at(110, 190), workspace: 'Other' }])
    expect(found(allowed)).toEqual([]);
  // The answer can belong to the other click.
  expect(found(at(110, 190), resultOf(fetched, { progress: 'submitted' }))).toEqual([]);
  expect(checkPausedDownloads([{ ...pause, target: 'requests' }], [at(110, 190)])).toEqual([]);
});

/** A correct run with a repeated transfer and a repeated request that lists the point that wasn't ticked off. */
function repeatedRun() {
  const run = correctRun();
  const { account, bo, transfer, page, sending, requesting } = run;
  Object.assign(sending, { repeated: 'accepted' });
  account.drops.push(structuredClone(transfer));
  requesting.action = { ...request, points: ['Passport', 'Contract'] };
  Object.assign(requesting, { repeated: 'accepted', ticks: [{ point: 'Passport', isConfirmed: true }] });
  page.message = 'Please\n\n- Passport\n- Contract';
  const pageAgain = { ...page, message: 'Please\n\n- Contract' };
  account.pages.push(pageAgain);
  bo.messages.push(
    `✅ Sent\n${file.name} (8 bytes)\nto ${carl.email}\nRepeats an earlier transfer.`,
    `Requested files from 1 person: ${dora.email}\nFollow-up to an earlier request.\nNo uploads yet.`,
  );
  return { ...run, pageAgain };
}

test('a fault run in which a transfer and a request were repeated once is accepted', () => {
  expect(check(repeatedRun().facts).violations).toEqual([]);
});

const brokenRepeats: [what: string, breakRun: (run: ReturnType<typeof repeatedRun>) => void, violation: string][] = [
  ['a third transfer', ({ account, transfer }) => account.drops.push(transfer), 'a1: again: made 2 times'],
  ['a missing repetition', ({ account }) => account.drops.pop(), 'a1: again: reported as sent but never made'],
  ['a repetition without a report', ({ bo }) => bo.messages.splice(3, 1), 'a1: again: made but not reported'],
  [
    'a repetition with a false failure',
    ({ bo }) => bo.messages.splice(3, 1, `⚠️ Not sent\n${file.name}\nRepeats an earlier transfer.`),
    'a1: again: reported as not sent but made',
  ],
  [
    'a first card with a false failure',
    ({ bo }) => bo.messages.splice(0, 1, `⚠️ Not sent\n${file.name}`),
    'a1: reported as not sent but made',
  ],
  [
    'contradicting reports of a repetition',
    ({ bo }) => bo.messages.push(`⚠️ Not sent\n${file.name}\nRepeats an earlier transfer.`),
    'a1: again: reported in two ways: sent, not sent',
  ],
  [
    'a repetition without a confirmation',
    ({ sending }) => Object.assign(sending, { repeated: 'not submitted' }),
    'a1: made 2 times',
  ],
  [
    'a second Ask again',
    ({ account, pageAgain }) => account.pages.push(pageAgain),
    'a2: confirmed for dora@example.org, asked dora@example.org,dora@example.org,dora@example.org',
  ],
  [
    'Ask again for a point that was ticked off',
    ({ pageAgain, page }) => Object.assign(pageAgain, { message: page.message }),
    'a2: asked again for other points: Please\n\n- Passport\n- Contract',
  ],
  [
    'Ask again that omits an open point',
    ({ requesting }) => Object.assign(requesting, { ticks: [] }),
    'a2: asked again for other points: Please\n\n- Contract',
  ],
];

test.each(brokenRepeats)('the check of a fault run with repetitions reports %s', (_, breakRun, violation) => {
  const run = repeatedRun();
  breakRun(run);
  expect(check(run.facts).violations).toContainEqual(violation);
});

test('a fault run is checked for transfers sent before their planned time', () => {
  const { facts } = correctRun();
  expect(checkPlanned(facts)).toEqual([]);
  const results = facts.results.map((one) => ({ ...one, action: { ...one.action, planned: 'left' } as Action }));
  expect(checkPlanned({ ...facts, results })).toEqual(['a1: was sent before its planned time']);
});
