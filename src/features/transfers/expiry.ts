import { actions, type Blocks, button, type Piece, textField } from '../../slack/blocks.ts';
import { expiresAfter } from '../../slack/words.ts';
import { expiryHint, expiryLabel, expiryOf, expiryPresets } from '../settings/expiry.ts';
import type { Settings, TtlUnit } from '../settings/repository.ts';

/** The field for the expiry, with a button for each preset. */
export function expiryBlocks(
  ttl: Settings['ttl'],
  value: number,
  { action, reportsEntries = false }: { action: string; reportsEntries?: boolean },
): Blocks {
  const presets = expiryPresets(ttl).map((preset) =>
    button(preset.label, `${action}#${preset.value}`, {
      value: preset.value,
      accessibilityLabel: `${preset.label} until it expires`,
    }),
  );
  const options = { value: String(value), hint: expiryHint(ttl), maxLength: 10, reportsEntries };
  return [
    textField('timeToLive', expiryLabel(ttl.unit), options),
    ...(presets.length === 0 ? [] : [actions(...presets)]),
  ];
}

/** “Expires Nov 22”, or the number where the unit is unknown. */
export function expiryPieces(since: Date, timeToLive: number, unit: TtlUnit): Piece[] {
  const seconds = expiryOf(since.getTime() / 1000, timeToLive, unit);
  if (seconds === undefined) return [`Expires after ${expiresAfter(timeToLive, unit)}`];
  return ['Expires ', { seconds, format: unit === 'days' ? '{date_short_pretty}' : '{date_short_pretty} at {time}' }];
}
