export { limits } from './limits.ts';
export { checkMessage } from './message.ts';
export type { Problem } from './problem.ts';
export { checkOptions } from './suggestions.ts';
export { checkView } from './view.ts';
