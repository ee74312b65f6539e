import { type Control, type Line, type Screen, screenText } from '../screen/screen.ts';

/** Not on the screen yet; it can still appear. */
export class NotThere extends Error {}

/** An error message with the current screen. */
export function onScreen(words: string, screen: Screen): string {
  return `${words.replace(/\.$/, '')}. The screen shows:\n\n${screenText(screen)}\n`;
}

type Kind = Control['kind'];

interface Candidate {
  control: Control;
  line: Line;
}

/** The one control with this label. If there are several, the one nearest to `near`. */
export function findControl(screen: Screen, kinds: readonly Kind[], label: string, near?: string): Control {
  const candidates = screen.lines.flatMap((line) =>
    line.controls.filter(({ kind }) => kinds.includes(kind)).map((control): Candidate => ({ control, line })),
  );
  const exact = candidates.filter(({ control }) => names(control).some((name) => name === squeezed(label)));
  const similar = candidates.filter(({ control }) => names(control).some((name) => name.includes(squeezed(label))));
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

/** The nearest by block within the same message or form. At equal distance, a control after the words wins. */
function nearestTo(screen: Screen, candidates: Candidate[], words: string): Candidate[] {
  const marks = screen.lines.filter(({ text }) => squeezed(text).includes(squeezed(words)));
  const measured = candidates.flatMap((candidate) => {
    const distances = marks
      .filter(({ item }) => item === candidate.line.item)
      .map(({ block }) =>
        candidate.line.block >= block ? candidate.line.block - block : block - candidate.line.block + 0.5,
      );
    return distances.length === 0 ? [] : [{ candidate, distance: Math.min(...distances) }];
  });
  const least = Math.min(...measured.map(({ distance }) => distance));
  return measured.filter(({ distance }) => distance === least).map(({ candidate }) => candidate);
}

export function squeezed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

export function shows(screen: Screen, words: string | RegExp): boolean {
  const text = screenText(screen);
  return words instanceof RegExp ? words.test(text) : squeezed(text).includes(squeezed(words));
}

/** The one thing whose name equals the words, or else contains them. */
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
