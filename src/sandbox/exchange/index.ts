export { startExchangeServer } from './server.ts';
export type * from './types.ts';
