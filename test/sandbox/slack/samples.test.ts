import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { describeIf, noShared } from '../../helpers/skips.ts';
import { capture } from './captured.ts';
import { keyPaths, missingPaths } from './key-paths.ts';
import { absent, added, type Difference } from './sample-differences.ts';

/** Slack's samples, which are next to the repository on the maintainers' machines. */
const samples = resolve(import.meta.dirname, '../../../../shared/slack-samples');
const isAbsent = !existsSync(samples);
const title = 'answers and payloads have the keys of Slack\u2019s samples';

/** The shape file of each payload. Samples with values are found by name. */
const shapes: Record<string, string> = {
  slash_command: 'app-backend/SlashCommandPayload',
  'block_actions.message': 'app-backend/BlockActionPayload',
  'block_actions.view': 'app-backend/BlockActionPayload',
  view_submission: 'app-backend/ViewSubmissionPayload',
  view_closed: 'app-backend/ViewClosedPayload',
  message_action: 'app-backend/MessageShortcutPayload',
  'event.message': 'events/MessagePayload',
  'event.message.file_share': 'events/MessageFileSharePayload',
  'event.message.message_deleted': 'events/MessageDeletedPayload',
  'event.file_shared': 'events/FileSharedPayload',
  'event.app_home_opened': 'events/AppHomeOpenedPayload',
  'event.app_uninstalled': 'events/AppUninstalledPayload',
  'event.tokens_revoked': 'events/TokensRevokedPayload',
};

interface Compared {
  name: string;
  ours: Set<string>;
  sample: Set<string>;
}

function readPaths(...files: string[]): Set<string> {
  const all = files.map((file) => resolve(samples, file)).filter((file) => existsSync(file));
  return new Set(all.flatMap((file) => [...keyPaths(JSON.parse(readFileSync(file, 'utf8')))]));
}

/** The sample files with values, like `name.1.json`. For actions in a view, Slack has only samples of Home tabs. */
function valueFilesFor(name: string): string[] {
  const sampleName = name.replace('block_actions.view', 'block_actions.home');
  const isNumbered = (file: string) =>
    file.startsWith(`${sampleName}.`) && /^\d+\.json$/.test(file.slice(sampleName.length + 1));
  return readdirSync(resolve(samples, 'payloads'))
    .filter(isNumbered)
    .map((file) => `payloads/${file}`);
}

async function compare(): Promise<Compared[]> {
  const { answers, payloads } = await capture();
  const comparedAnswers = Object.entries(answers).map(([name, answer]) => ({
    name,
    ours: keyPaths(answer),
    sample: readPaths(`shapes/web-api/${name}.json`, `web-api-examples/${name}.ok.json`),
  }));
  const comparedPayloads = Object.entries(payloads).map(([name, payload]) => ({
    name,
    ours: keyPaths(payload),
    sample: readPaths(`shapes/${shapes[name]}.json`, ...valueFilesFor(name)),
  }));
  return [...comparedAnswers, ...comparedPayloads];
}

describeIf(!isAbsent, noShared, title, () => {
  test('every answer and payload of the simulation has a sample from Slack', async () => {
    const compared = await compare();
    expect(compared.filter(({ sample }) => sample.size === 0).map(({ name }) => name)).toEqual([]);
    expect(compared.length).toBeGreaterThan(30);
  });

  test('each key of the samples is simulated, or its absence has a reason', async () => {
    const missing = differences(await compare(), ({ ours, sample }) => missingPaths(sample, ours));
    expect(unexplained(missing, absent)).toEqual([]);
    expect(unusedReasons(missing, absent)).toEqual([]);
  });

  test('each simulated key is in the samples, or its addition has a reason', async () => {
    const extra = differences(await compare(), ({ ours, sample }) => missingPaths(ours, sample));
    expect(unexplained(extra, added)).toEqual([]);
    expect(unusedReasons(extra, added)).toEqual([]);
  });
});

function differences(compared: Compared[], paths: (one: Compared) => string[]): string[] {
  return compared.flatMap((one) => paths(one).map((path) => `${one.name}: ${path}`));
}

function unexplained(found: string[], reasons: Difference[]): string[] {
  return found.filter((path) => !reasons.some(({ paths }) => paths.test(path)));
}

function unusedReasons(found: string[], reasons: Difference[]): string[] {
  return reasons.filter(({ paths }) => !found.some((path) => paths.test(path))).map(({ reason }) => reason);
}
