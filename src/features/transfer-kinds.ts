import { shownRequest } from './transfers/request/shown.ts';
import { shownSend } from './transfers/send/shown.ts';
import type { ShownKinds } from './transfers/shown-kind.ts';

/** The registry of kinds. A new kind needs a line here, and what it stores in `transfers/transfer.ts`. */
export const transferKinds: ShownKinds = { send: shownSend, request: shownRequest };
