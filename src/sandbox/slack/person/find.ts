import { NotOnScreen } from '../client/not-on-screen.ts';
import { type Control, type Line, type Screen, screenText } from './screen/screen.ts';

/** An error message with the current screen. */
export function withScreen(message: string, screen: Screen): string {
  return `${message.replace(/\.$/, '')}. The screen shows:\n\n${screenText(screen)}\n`;
}

type Kind = Control['kind'];

interface Candidate {
  control: Control;
  line: Line;
}

/** The only control with this label or, if none has it, with a label that contains it; with `near`, the nearest one. */
export function findControl(screen: Screen, kinds: readonly Kind[], label: string, near?: string): Control {
  const candidates = screen.lines.flatMap((line) =>
    line.controls.filter(({ kind }) => kinds.includes(kind)).map((control): Candidate => ({ control, line })),
  );
  const exact = candidates.filter(({ control }) => namesOf(control).some((name) => name === collapseSpaces(label)));
  const similar = candidates.filter(({ control }) =>
    namesOf(control).some((name) => name.includes(collapseSpaces(label))),
  );
  const matching = exact.length > 0 ? exact : similar;
  const nearest = near === undefined ? matching : nearestTo(screen, matching, near);
  const [match, another] = nearest;
  if (!match) throw new NotOnScreen(`There is no ${kinds.join(' or ')} "${label}"${nearText(near)}`);
  if (another) throw new Error(`There is more than one "${label}"${nearText(near)}`);
  return match.control;
}

function nearText(near: string | undefined): string {
  return near === undefined ? '' : ` near "${near}"`;
}

function namesOf({ label, accessibleName }: Control): string[] {
  return accessibleName === undefined
    ? [collapseSpaces(label)]
    : [collapseSpaces(label), collapseSpaces(accessibleName)];
}

/** The nearest by block within the same message or form. At equal distance, a control after the text wins. */
function nearestTo(screen: Screen, candidates: Candidate[], near: string): Candidate[] {
  const anchors = screen.lines.filter(({ text }) => collapseSpaces(text).includes(collapseSpaces(near)));
  const measured = candidates.flatMap((candidate) => {
    const distances = anchors
      .filter(({ item }) => item === candidate.line.item)
      .map(({ block }) =>
        candidate.line.block >= block ? candidate.line.block - block : block - candidate.line.block + 0.5,
      );
    return distances.length === 0 ? [] : [{ candidate, distance: Math.min(...distances) }];
  });
  const minimum = Math.min(...measured.map(({ distance }) => distance));
  return measured.filter(({ distance }) => distance === minimum).map(({ candidate }) => candidate);
}

export function collapseSpaces(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

export function containsText(screen: Screen, expected: string | RegExp): boolean {
  const text = screenText(screen);
  return expected instanceof RegExp ? expected.test(text) : collapseSpaces(text).includes(collapseSpaces(expected));
}

/** The only item whose name equals the text; if none does, the only one whose name contains it. */
export function matchOne<T>(items: readonly T[], nameOf: (item: T) => string, text: string): T {
  const searched = collapseSpaces(text).toLowerCase();
  const named = items.map((item) => ({ item, name: collapseSpaces(nameOf(item)).toLowerCase() }));
  const exact = named.filter(({ name }) => name === searched);
  const matching = exact.length > 0 ? exact : named.filter(({ name }) => name.includes(searched));
  const [match, another] = matching;
  const offeredText = `Offered: ${items.map(nameOf).join(', ') || 'nothing'}`;
  if (!match) throw new NotOnScreen(`No option contains "${text}". ${offeredText}.`);
  if (another) throw new Error(`More than one option contains "${text}". ${offeredText}.`);
  return match.item;
}
