import type { HomeView, ModalView } from '@slack/types';

/*
 * Where a workspace has several accounts, each modal and Home carry the key of the account that it works on, and an option can
 * name one. The key comes after a line break, which neither JSON nor our ids contain.
 */

const pattern = /^(.*)\n([\w-]{43})$/s;

/** The text as it was written, and the key that was added to it. Anyone can have forged both. */
export function splitDeskKey(text = ''): { text: string; desk?: string } {
  const [, rest = text, desk] = pattern.exec(text) ?? [];
  return { text: rest, desk };
}

export const withDeskKey = (text: string | undefined, desk: string): string => `${text ?? ''}\n${desk}`;

/** The view with this key, if there is one. */
export function stamped<V extends ModalView | HomeView>(view: V, desk: string | undefined): V {
  return desk === undefined ? view : { ...view, private_metadata: withDeskKey(view.private_metadata, desk) };
}
