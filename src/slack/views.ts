import type { ModalView } from '@slack/types';
import { type Blocks, note, plain, section } from './blocks.ts';
import { limits } from './limits.ts';

export interface ModalOptions {
  /** The form route that handles submitting and closing. */
  id?: string;
  submit?: string;
  close?: string;
  /** Data for the buttons and the submission; see metadata.ts. */
  metadata?: string;
  notifyOnClose?: boolean;
}

export function modal(title: string, blocks: Blocks, options: ModalOptions = {}): ModalView {
  const { id, submit, close = 'Close', metadata, notifyOnClose = false } = options;
  return {
    type: 'modal',
    title: plain(title, limits.viewTitle),
    close: plain(close, limits.viewButton),
    blocks: blocks.slice(0, limits.viewBlocks),
    submit: submit === undefined ? undefined : plain(submit, limits.viewButton),
    callback_id: id,
    private_metadata: metadata,
    ...(notifyOnClose ? { notify_on_close: true } : {}),
  };
}

/** A placeholder: a modal must open within three seconds, even if the service is slow. */
export const loadingView = (title: string) => modal(title, [section('One moment…')]);

export const workingView = (title: string) =>
  modal(title, [section('Working on it…'), note("You can close this. I'll message you.")]);

/** The result of work that took longer than a form can wait. */
export const doneView = (title: string, message: string) => modal(title, [section(message)]);

/** The modal with the result of a click above it. */
export const withNotice = (view: ModalView, text: string): ModalView => ({
  ...view,
  blocks: [section(text), ...view.blocks].slice(0, limits.viewBlocks),
});
