import { bounds } from '../../lib/bounds.ts';
import {
  actions,
  type Blocks,
  button,
  dateAndTime,
  datePicker,
  line,
  moment,
  type Piece,
  textField,
} from '../../slack/blocks.ts';
import { timeField } from '../../slack/pickers.ts';
import { durationText } from '../../slack/words.ts';
import { expiryHint, expiryLabel, expiryOf, expiryPresets } from '../settings/expiry.ts';
import type { Expiry, ExpiryUnit } from '../settings/repository.ts';

/** The field for the expiry, with elements that fill it in: a button for each preset, and a calendar. */
export function expiryBlocks(
  expiry: Expiry,
  value: number | string,
  { action, reportsEntries = false }: { action: string; reportsEntries?: boolean },
): Blocks {
  const presets = expiryPresets(expiry).map((preset) =>
    button(preset.label, `${action}#${preset.value}`, {
      value: preset.value,
      accessibilityLabel: `${preset.label} until it expires`,
    }),
  );
  const fillers = expiry.expiryUnit === 'own' ? [] : [...presets, datePicker('Choose a date', `${action}#date`)];
  const options = { value: String(value), hint: expiryHint(expiry), maxLength: 10, reportsEntries };
  return [
    textField('expiresAfter', expiryLabel(expiry.expiryUnit), options),
    ...(fillers.length === 0 ? [] : [actions(...fillers)]),
  ];
}

/** The field of a review for a time to send. */
export const plannedField = (seconds: number | undefined) =>
  timeField('plannedFor', 'Send later', seconds, {
    optional: true,
    hint: `Leave empty to send it now. Up to ${bounds.plannedDays} days ahead, or one day for files that you attached to a form.`,
  });

/** When a confirmed transfer goes, if that is planned. */
export const plannedLines = ({ plannedFor }: { plannedFor?: number }): Blocks =>
  plannedFor === undefined ? [] : [line({ bold: 'Planned for ' }, dateAndTime(plannedFor))];

/** A date without a time. At 10:30 UTC, the date is the same everywhere from Hawaii to New Zealand. */
export const datePiece = (date: string): Piece => ({
  seconds: Date.parse(`${date}T10:30:00Z`) / 1000,
  format: '{date_short_pretty}',
});

/** “Expires Nov 22, 2026 at 9:30 AM”, without the time if a date was chosen. The number if the unit is unknown. */
export function expiryPieces(since: Date, expiresAfter: number, unit: ExpiryUnit, date?: string): Piece[] {
  if (date !== undefined) return ['Expires ', datePiece(date)];
  const seconds = expiryOf(since.getTime() / 1000, expiresAfter, unit);
  if (seconds === undefined) return [`Expires after ${durationText(expiresAfter, unit)}`];
  return ['Expires ', moment(seconds)];
}
