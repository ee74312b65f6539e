import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '@slack/bolt';
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { hasBrowser, noBrowserReason } from '../helpers/browser.ts';
import { describeIf } from '../helpers/skips.ts';
import { goTo, sendMessage, usePages } from './pages.ts';

const start = usePages();
const noBot = (_: App) => {};

const distanceToEnd = (list: Locator) =>
  list.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);

describeIf(hasBrowser, noBrowserReason, 'the page', () => {
  test('each time a person opens a long conversation, it shows the last message', async () => {
    const { page, setup } = await start(noBot);
    const { acme, anna, bo } = setup;
    const members = [anna, bo];
    acme.addChannel({ name: 'long', members });
    acme.addChannel({ name: 'short', members });
    for (let line = 1; line <= 60; line += 1) await anna.types(`line ${line}`, { in: '#long' });
    await anna.opens('#short');
    const list = page.getByRole('log', { name: 'Messages in #long' });
    const opensAtEnd = async () => {
      await goTo(page, 'long');
      await expect.poll(() => distanceToEnd(list)).toBeLessThan(2);
    };
    await opensAtEnd();
    await list.evaluate((element) => {
      element.scrollTop = 0;
    });
    await page.getByRole('button', { name: 'Bo member' }).click();
    await opensAtEnd();
    await goTo(page, 'short');
    await opensAtEnd();
  });

  test('a message that is typed while another is being sent is sent too', async () => {
    const { page, setup } = await start(noBot);
    await page.route('**/-/page/**', async (route) => {
      if (route.request().method() === 'POST') await sleep(300);
      await route.continue();
    });
    await sendMessage(page, 'first');
    await sendMessage(page, 'second');
    await expect.poll(() => setup.anna.messages.slice(-2).map(({ text }) => text)).toEqual(['first', 'second']);
  });
});
