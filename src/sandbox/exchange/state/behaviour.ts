import type { Behaviour } from './model.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

export const defaultBehaviour: Readonly<Behaviour> = {
  contactsAdd: 'replace',
  uploadsAfterDispatch: 'cleared',
  failure: 'status',
  liveDropsField: 'live_drops',
  status: 'plain',
  uploadNames: 'kept',
  downloadFraming: 'length',
  historyLag: 0,
  tokenOverflow: 'drop-oldest',
  tokenLifeMs: 15 * minute,
  tokenLimit: 60,
  ttlUnitMs: day,
  diskBytes: 4 * 1024 ** 3,
  delayMs: 0,
};
