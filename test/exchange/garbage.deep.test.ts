import { describe, test } from 'vitest';
import { callsWithAnswers, expectShortError, garbage } from './garbage.ts';

describe.each(garbage)('if the service answers %s', (_, answer) => {
  test.each(callsWithAnswers)('$name fails with a short ExchangeError', (call) => expectShortError(call, answer));
});
