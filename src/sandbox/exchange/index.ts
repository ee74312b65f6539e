export { startExchangeServer } from './server.ts';
export type * from './state/model.ts';
