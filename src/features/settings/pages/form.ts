import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { FieldErrors } from '../../../lib/errors.ts';
import { list, note, section } from '../../../slack/blocks.ts';
import type { Filled } from '../../../slack/form.ts';
import { codec } from '../../../slack/metadata.ts';
import { modal } from '../../../slack/views.ts';
import { count } from '../../../slack/words.ts';
import { type Draft, differing, hashesOf, type TurnedOff } from '../changes.ts';
import type { ScannerInfo } from '../policies/repository.ts';
import { defaultSettings, type EnteredValues, type Settings } from '../repository.ts';
import { definitions, namesOn, type Page, pages, type SettingName, settingNames } from '../table/definitions.ts';
import { stateBlocks, valueText } from '../views.ts';
import { enteredIn, fieldsOf } from './fields.ts';

/** Hashes of the values when the form was opened. */
export const settingsMetadata = codec('settings forms', z.object({ seen: z.record(z.string(), z.string()) }));

/** What a form depends on besides the settings. */
interface FormContext {
  /** Whether there is a public URL for links. */
  hasLinks: boolean;
  scanner: ScannerInfo;
}

/** The form of a page: the current state, then a field for each setting. */
export function settingsForm(page: Page, settings: Settings, context: FormContext): ModalView {
  const names = namesOn(page);
  const blocks = [
    ...stateBlocks(page, settings),
    ...introsOf(page, context).map(note),
    ...names.flatMap((name) => fieldsOf(name, settings[name], optionsOf(name, settings, context))),
  ];
  const metadata = settingsMetadata.write({ seen: hashesOf(settings, names) });
  return modal(pages[page].title, blocks, { id: `settings.${page}`, submit: 'Save', close: 'Cancel', metadata });
}

/** What a field says in addition to the table. */
function optionsOf(name: SettingName, settings: Settings, { hasLinks }: FormContext) {
  const { hint } = definitions[name];
  const hints = [
    hint,
    ...(name === 'requesters' && !settings.requests ? ['No effect now: file requests are off.'] : []),
    ...(name === 'delivery' && !hasLinks ? [linksHint] : []),
    ...(differing(defaultSettings, settings).includes(name)
      ? [`Changed from the default: ${valueText(name, defaultSettings)}.`]
      : []),
  ].filter((hint) => hint !== undefined);
  const isOffered = (choice: string) => hasLinks || choice !== 'link';
  return { hint: hints.length === 0 ? undefined : hints.join(' '), isOffered };
}

export const linksHint = 'Links need a public address of Dropline (PUBLIC_URL).';

const requestsText =
  "With a file request, the contacts that people choose get a link to upload files for a limited time. The service's documentation doesn't guarantee that only they get access, so test it with one contact before people use it.";

function introsOf(page: Page, { scanner }: FormContext): string[] {
  if (page === 'approvers')
    return [
      "Senders can't approve their own transfers. If a file or recipient changes after that, nothing is sent.",
      channelsText,
    ];
  if (page === 'people')
    return [
      "Guests, bots and people from other organisations can't use Dropline.",
      channelsText,
      "I don't tell people what they can do: they see it on Home and with /drop help.",
    ];
  if (page === 'files') return [scanText(scanner)];
  return page === 'service' ? [requestsText] : [];
}

const channelsText =
  'If you name a private channel, all its members have the right. First add me there: type /invite @dropline.';

function scanText({ hasScanner, isRequired }: ScannerInfo): string {
  if (!hasScanner && !isRequired) return "Dropline's operator hasn't set up a malware scanner. Files aren't scanned.";
  const scanned = "Files are scanned when they're sent or downloaded. Only admins can download infected ones.";
  return isRequired ? `${scanned} The operator blocks files that can't be scanned.` : scanned;
}

/** Only turns on file requests. The button “Turn on file requests” opens it. */
export const requestsForm = (): ModalView =>
  modal('File requests', [section('Turn on file requests for this workspace?'), section(requestsText)], {
    id: 'settings.requests',
    submit: 'Turn on',
    close: 'Cancel',
  });

export const turnOffMetadata = codec('page to turn off settings', z.object({ draft: z.string() }));

/** Asks before a form turns off or removes something. `draft`: the id of what was entered. */
export function turnOffView(turnedOff: readonly TurnedOff[], draft: string): ModalView {
  const areRules = turnedOff.every(({ isRule }) => isRule);
  const title = areRules
    ? `Turn off ${count(turnedOff.length, 'rule')}?`
    : `Remove ${count(turnedOff.length, 'setting')}?`;
  return modal(
    title,
    [
      list(turnedOff.map(({ text }) => [text])),
      note('Nothing is saved until you confirm. Back discards what you entered.'),
    ],
    {
      id: 'settings.turn-off',
      submit: areRules ? 'Turn off' : 'Remove',
      close: 'Back',
      metadata: turnOffMetadata.write({ draft }),
    },
  );
}

/** What an admin entered. Fields that Slack didn't send or that are invalid are left out. */
export function readForm(page: Page, filled: Filled, errors: FieldErrors): EnteredValues {
  const entries = namesOn(page).flatMap((name) => {
    const entered = errors.check(() => enteredIn(filled, name));
    return entered === undefined ? [] : [[name, entered]];
  });
  return Object.fromEntries(entries);
}

/** The settings that were entered. They are checked when they are saved. */
export const draftOf = (entered: EnteredValues): Draft =>
  Object.fromEntries(
    settingNames.flatMap((name) => {
      const value = entered[name];
      return value === undefined ? [] : [[name, definitions[name].fromField(value)]];
    }),
  );
