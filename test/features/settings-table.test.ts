import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeChanges } from '../../src/features/settings/changes.ts';
import { defaultSettings, type Settings } from '../../src/features/settings/repository.ts';
import { definitions, namesOn, pageNames, pages, settingNames } from '../../src/features/settings/table/definitions.ts';
import { valueText } from '../../src/features/settings/views.ts';

test('the manual lists every simple setting with its page and default', () => {
  const rows = pageNames.flatMap((page) =>
    namesOn(page).map((name) => [definitions[name].title, pages[page].title, valueText(name, defaultSettings)]),
  );
  const manual = readFileSync(new URL('../../manifest/settings.md', import.meta.url), 'utf8');
  const [, table = ''] = /^\| setting \| page \| at first \| what it's for \|\n[|-]+\n(.*?)\n\n/ms.exec(manual) ?? [];
  const listed = table.split('\n').map((row) => row.split('|').map((cell) => cell.trim()));
  expect(listed.map((cells) => cells.slice(1, 4))).toEqual(rows);
  expect(listed.filter(([, , , , purpose = '']) => purpose.length < 10)).toEqual([]);
});

test('no two settings have the same title', () => {
  const titles = settingNames.map((name) => definitions[name].title);
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
});

test('every value comes back from the field of its form unchanged', () => {
  const values: Partial<Settings> = {
    approvalRules: ['every', 'requests'],
    approvalDomains: ['a.example', 'b.example'],
    approvalMb: 5,
    approvers: ['U1', 'C1'],
    senders: ['U1', 'C1'],
    undoSeconds: 300,
    requests: true,
    message: 'Hello, “you”',
    expiryUnit: 'hours',
  };
  for (const settings of [defaultSettings, { ...defaultSettings, ...values }]) {
    const again = settingNames.map((name) => {
      const { schema, toField, fromField } = definitions[name];
      return [name, schema.parse(fromField(toField(settings[name])))];
    });
    expect(Object.fromEntries(again)).toEqual(Object.fromEntries(settingNames.map((name) => [name, settings[name]])));
  }
});

test('the audit describes values in the words of the forms', () => {
  const after: Settings = {
    ...defaultSettings,
    approvalRules: ['newRecipients'],
    approvers: ['C1'],
    senders: ['U1', 'C1'],
    expiryUnit: 'days',
    undoSeconds: 60,
    maxFileMb: 50,
    unscanned: 'note',
    requests: true,
    watchedChannels: ['C2'],
  };
  expect(describeChanges(defaultSettings, after)).toEqual([
    { setting: 'Who can send files', from: ['everyone'], to: [{ user: 'U1' }, { channel: 'C1' }] },
    { setting: 'Ask for approval', from: [], to: ['for new recipients'] },
    { setting: 'Approvers', from: [], to: [{ channel: 'C1' }] },
    { setting: 'Expiry is counted in', from: ["I'm not sure"], to: ['days'] },
    { setting: 'Time to undo', from: ['10 seconds'], to: ['1 minute'] },
    { setting: 'Watched channels', from: [], to: [{ channel: 'C2' }] },
    { setting: 'Largest file', from: [], to: [{ bytes: 50_000_000 }] },
    { setting: "Files that can't be scanned", from: ['block'], to: ['allow and note it'] },
    { setting: 'File requests', from: ['off'], to: ['on'] },
  ]);
});
