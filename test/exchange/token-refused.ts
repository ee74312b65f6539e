import { describe, expect, test } from 'vitest';
import { failureOf, setUp } from '../helpers/exchange.ts';
import { commits, prepare, repeatable } from '../helpers/operations.ts';

type Shape = 'status' | 'html' | 'json' | 'empty';

/** Tests every call while the service refuses its token, with an answer of each shape. */
export function testRefusedTokens(shapes: readonly Shape[]): void {
  describe.each(shapes)('if the service refuses a token with an answer of the shape %s', (failure) => {
    test.each(repeatable)('$name succeeds with a fresh token when the old one is refused', async (call) => {
      const setup = await setUp();
      await prepare(setup);
      setup.server.behaviour.failure = failure;
      setup.account.tokens.length = 0;
      await call.run(setup.exchange);
      expect(setup.callCount('index')).toBe(1);
      expect(setup.callCount(call.endpoint)).toBe(2);
      expect(setup.server.calls.at(-1)).toMatchObject({ outcome: 'done', processed: true });
    });

    test.each(commits)('$name with a refused token fails as outcome-unknown and is not retried', async (call) => {
      const setup = await setUp();
      await prepare(setup);
      setup.server.behaviour.failure = failure;
      setup.account.tokens.length = 0;
      expect(await failureOf(call.run(setup.exchange))).toMatchObject({
        code: 'outcome-unknown',
        operation: call.name,
      });
      expect(setup.callCount(call.endpoint)).toBe(1);
      expect(setup.account.drops).toEqual([]);
    });

    test.each(repeatable)('$name is tried at most twice when every token is refused', async (call) => {
      const setup = await setUp();
      await prepare(setup);
      setup.server.behaviour.failure = failure;
      setup.server.addFault({ operation: call.endpoint, kind: 'wrong-token', times: 10 });
      // An empty answer to a download with a fresh token looks like an empty file.
      if (call.name === 'download' && failure === 'empty') {
        await expect(call.run(setup.exchange)).resolves.toEqual(Buffer.alloc(0));
      } else {
        // A page instead of a file can only be a refusal; a page instead of JSON can also be a new format.
        const codes = { status: 'token-refused', html: 'changed-format', json: 'refused', empty: 'changed-format' };
        const expected = call.name === 'download' && failure === 'html' ? 'token-refused' : codes[failure];
        expect(await failureOf(call.run(setup.exchange))).toMatchObject({ code: expected, operation: call.name });
      }
      expect(setup.callCount(call.endpoint)).toBe(2);
    });

    test('a wrong API key is not reported as a refused token', async () => {
      const setup = await setUp();
      await prepare(setup);
      setup.server.behaviour.failure = failure;
      setup.account.apiKey = 'changed';
      const { code } = await failureOf(setup.exchange.readContacts());
      expect(code).toBe(failure === 'status' ? 'credentials-refused' : 'not-the-service');
    });
  });
}
