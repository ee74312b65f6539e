import { type Control, type Line, type Screen, screenText } from '../screen/screen.ts';

/** The words are not on the screen; they may come. */
export class NotThere extends Error {}

/** An error's words, and what there is to see instead. */
export function onScreen(words: string, screen: Screen): string {
  return `${words.replace(/\.$/, '')}. The screen shows:\n\n${screenText(screen)}\n`;
}

type Kind = Control['kind'];

interface Spot {
  control: Control;
  line: Line;
}

/** The one control that goes by this label. Of several, the one nearest to the other words. */
export function findControl(screen: Screen, kinds: readonly Kind[], label: string, near?: string): Control {
  const spots = screen.lines.flatMap((line) =>
    line.controls.filter(({ kind }) => kinds.includes(kind)).map((control): Spot => ({ control, line })),
  );
  const exact = spots.filter(({ control }) => names(control).some((name) => name === squeezed(label)));
  const similar = spots.filter(({ control }) => names(control).some((name) => name.includes(squeezed(label))));
  const matching = exact.length > 0 ? exact : similar;
  const nearest = near === undefined ? matching : nearestTo(screen, matching, near);
  const [only, another] = nearest;
  if (!only) throw new NotThere(`There is no ${kinds.join(' or ')} "${label}"${nearWords(near)}`);
  if (another) throw new Error(`There is more than one "${label}"${nearWords(near)}`);
  return only.control;
}

function nearWords(near: string | undefined): string {
  return near === undefined ? '' : ` near "${near}"`;
}

function names({ label, spoken }: Control): string[] {
  return spoken === undefined ? [squeezed(label)] : [squeezed(label), squeezed(spoken)];
}

/** Within the same message or form, the closest by blocks; what follows the words goes before what precedes them. */
function nearestTo(screen: Screen, spots: Spot[], words: string): Spot[] {
  const marks = screen.lines.filter(({ text }) => squeezed(text).includes(squeezed(words)));
  const measured = spots.flatMap((spot) => {
    const distances = marks
      .filter(({ item }) => item === spot.line.item)
      .map(({ block }) => (spot.line.block >= block ? spot.line.block - block : block - spot.line.block + 0.5));
    return distances.length === 0 ? [] : [{ spot, distance: Math.min(...distances) }];
  });
  const least = Math.min(...measured.map(({ distance }) => distance));
  return measured.filter(({ distance }) => distance === least).map(({ spot }) => spot);
}

export function squeezed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

export function shows(screen: Screen, words: string | RegExp): boolean {
  const text = screenText(screen);
  return words instanceof RegExp ? words.test(text) : squeezed(text).includes(squeezed(words));
}

/** The one thing whose name is, or else contains, what was typed. */
export function matchOne<T>(things: readonly T[], nameOf: (thing: T) => string, words: string): T {
  const wanted = squeezed(words).toLowerCase();
  const named = things.map((thing) => ({ thing, name: squeezed(nameOf(thing)).toLowerCase() }));
  const exact = named.filter(({ name }) => name === wanted);
  const matching = exact.length > 0 ? exact : named.filter(({ name }) => name.includes(wanted));
  const [only, another] = matching;
  const offered = `Offered: ${things.map(nameOf).join(', ') || 'nothing'}`;
  if (!only) throw new NotThere(`Nothing offered contains "${words}". ${offered}.`);
  if (another) throw new Error(`More than one that is offered contains "${words}". ${offered}.`);
  return only.thing;
}
