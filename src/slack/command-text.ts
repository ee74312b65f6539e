/** Splits the text of a slash command into words. Undoes Slack's escapes, curly quotes and unusual spaces. */
export function wordsOf(text: string): string[] {
  const plain = text
    // With should_escape, Slack writes addresses as links: <mailto:a@b.c|a@b.c>, <tel:+46 …|…>, <https://…|…>.
    // The patterns exclude brackets: otherwise a text with many unclosed brackets would take seconds.
    .replace(/<(?:mailto|tel):([^|<>]*)(?:\|[^<>]*)?>/gi, (_, address: string) => address.replace(/\s+/g, ''))
    .replace(/<(https?:[^|<>]*)(?:\|[^<>]*)?>/gi, '$1')
    .replace(/[\u201C\u201D\u201E\u201F\u00AB\u00BB]/g, '"')
    .replace(/[\u2018\u2019\u201A\u201B]/g, "'")
    .replace(/[\u00A0\u2000-\u200B\u202F\u205F\u3000\uFEFF]/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
  return [...plain.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
}

/** The word closest to the typed one. One letter can differ, or up to a third of the letters of a longer word. */
export function didYouMean(typed: string, words: readonly string[]): string | undefined {
  const candidates = words
    .map((word) => ({ word, edits: distance(typed.toLowerCase(), word) }))
    .filter(({ word, edits }) => edits <= Math.max(1, Math.floor(word.length / 3)))
    .sort((a, b) => a.edits - b.edits);
  return candidates[0]?.word;
}

/** Edit distance: letters changed, added, removed or swapped with their neighbour. */
function distance(word: string, other: string): number {
  const rows = Array.from({ length: word.length + 1 }, (_, row) => [row, ...Array<number>(other.length).fill(0)]);
  for (let column = 0; column <= other.length; column += 1) (rows[0] as number[])[column] = column;
  for (let row = 1; row <= word.length; row += 1) {
    for (let column = 1; column <= other.length; column += 1) {
      const cost = word[row - 1] === other[column - 1] ? 0 : 1;
      const at = (r: number, c: number) => rows[r]?.[c] ?? 0;
      let best = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + cost);
      const isSwapped = word[row - 1] === other[column - 2] && word[row - 2] === other[column - 1];
      if (row > 1 && column > 1 && isSwapped) best = Math.min(best, at(row - 2, column - 2) + 1);
      (rows[row] as number[])[column] = best;
    }
  }
  return rows[word.length]?.[other.length] ?? 0;
}
