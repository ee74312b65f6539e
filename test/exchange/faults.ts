import { describe, expect, test } from 'vitest';
import { createMemoryTokens } from '../../src/exchange/index.ts';
import { failureOf, setUp } from '../helpers/exchange.ts';
import { calls, commits, prepare, repeatable } from '../helpers/operations.ts';

type Reset = 'reset-before' | 'reset-during' | 'reset-after';

/** Tests every call while the service drops its connection. */
export function testResets(kinds: readonly Reset[]): void {
  describe.each(kinds)('the service drops the connection: %s', (kind) => {
    test.each(repeatable)('$name fails as cut-short and is not retried', async (call) => {
      const setup = await setUp();
      await prepare(setup);
      setup.server.addFault({ operation: call.endpoint, kind });
      const failure = await failureOf(call.run(setup.exchange));
      expect(failure).toMatchObject({ code: 'cut-short', operation: call.name });
      expect(failure.message).toMatch(/: the (connection was lost( \(\w+\))?|answer was cut off)\.$/);
      expect(setup.callCount(call.endpoint)).toBe(1);
    });

    test.each(commits)('$name fails as outcome-unknown and is not retried', async (call) => {
      const setup = await setUp();
      await prepare(setup);
      setup.server.addFault({ operation: call.endpoint, kind });
      expect(await failureOf(call.run(setup.exchange))).toMatchObject({
        code: 'outcome-unknown',
        operation: call.name,
      });
      expect(setup.callCount(call.endpoint)).toBe(1);
      expect(setup.account.drops).toHaveLength(kind === 'reset-before' ? 0 : 1);
    });
  });
}

const shortLimits = { answerMs: 1_000, idleMs: 1_000 };

/** Tests every call while the service doesn't answer. The short limits apply to the calls, not to the sign-ins. */
export function testHangs(kinds: readonly ('hang' | 'hang-after')[]): void {
  test.each(kinds)('without an answer, calls time out and commits fail as outcome-unknown: %s', async (kind) => {
    const outcomes = calls.map(async (call) => {
      const setup = await setUp();
      await prepare(setup);
      const tokens = createMemoryTokens();
      await setup.client({ tokens }).signIn();
      setup.server.addFault({ operation: call.endpoint, kind });
      const failure = await failureOf(call.run(setup.client({ tokens, limits: shortLimits })));
      return { name: call.name, code: failure.code, requests: setup.callCount(call.endpoint) };
    });
    expect(await Promise.all(outcomes)).toEqual(
      calls.map((call) => ({
        name: call.name,
        code: commits.includes(call) ? 'outcome-unknown' : 'timeout',
        requests: 1,
      })),
    );
  });
}

/** Tests every call while a gateway answers instead of the service. */
export function testGateways(statuses: readonly number[]): void {
  describe.each(statuses)('a gateway answers instead of the service: %i', (status) => {
    const answer = { status, body: '<h1>Bad Gateway</h1>' };

    test.each(repeatable)('$name fails as a timeout and is not retried with a new token', async (call) => {
      const setup = await setUp();
      await prepare(setup);
      setup.server.addFault({ operation: call.endpoint, kind: 'answer', answer });
      const failure = await failureOf(call.run(setup.exchange));
      expect(failure).toMatchObject({ code: 'timeout', operation: call.name, status, serviceText: 'Bad Gateway' });
      expect(failure.message).toContain(`a gateway answered instead of the service (HTTP ${status}`);
      expect([setup.callCount(call.endpoint), setup.callCount('index')]).toEqual([1, 0]);
    });

    test.each(commits)('$name fails as outcome-unknown and is not retried after a gateway error', async (call) => {
      const setup = await setUp();
      await prepare(setup);
      setup.server.addFault({ operation: call.endpoint, kind: 'answer', answer });
      expect(await failureOf(call.run(setup.exchange))).toMatchObject({ code: 'outcome-unknown', status });
      expect(setup.callCount(call.endpoint)).toBe(1);
    });
  });
}
