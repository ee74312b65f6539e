import { expect, test } from 'vitest';
import { hasBrowser, noBrowserReason } from '../helpers/browser.ts';
import { describeIf } from '../helpers/skips.ts';
import { listen } from './conversation.ts';
import { sendMessage, usePages } from './pages.ts';

const start = usePages();

describeIf(hasBrowser, noBrowserReason, 'the page', () => {
  test('an ephemeral message has a label and is shown only to its recipient', async () => {
    const { page, setup, openTab } = await start(listen([]));
    const other = await openTab({ as: setup.bo.id });
    await sendMessage(page, '/drop quietly');
    await page.getByText('Only visible to you').waitFor();
    await sendMessage(page, 'Hello Bo');
    await other.getByText('Hello Bo').waitFor();
    expect(await other.getByText('Just for you').count()).toBe(0);
  });

  test('a channel with new messages is marked, and the page can switch to another person', async () => {
    const { page, setup, openTab } = await start(listen([]));
    setup.acme.addChannel({ name: 'random', members: [setup.anna, setup.bo] });
    const other = await openTab({ as: setup.bo.id });
    await page.getByRole('button', { name: 'random' }).click();
    await page.getByRole('heading', { name: '#random' }).waitFor();
    await sendMessage(other, 'Anybody here?');
    await page.getByRole('button', { name: 'general new messages' }).click();
    await page.getByText('Anybody here?').waitFor();
    await page.getByRole('button', { name: 'Bo member' }).click();
    await expect.poll(() => page.title()).toContain('Bo');
    await sendMessage(page, 'Bo again');
    await other.getByText('Bo again').waitFor();
    await page.getByRole('button', { name: 'Anna owner' }).click();
    await expect.poll(() => page.title()).toContain('Anna');
  });

  test('people attach files by button or drag and drop, and a download is unchanged', async () => {
    const { page, setup } = await start(listen([]));
    const buffer = Buffer.from([0, 255, 10, 13]);
    await page
      .getByLabel('Attach files')
      .setInputFiles([{ name: 'first.bin', mimeType: 'application/octet-stream', buffer }]);
    const data = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['dropped'], 'second.txt'));
      return transfer;
    })()`);
    await page.getByRole('main').dispatchEvent('drop', { dataTransfer: data });
    await page.getByRole('button', { name: 'Remove second.txt' }).waitFor();
    await page.getByRole('textbox', { name: 'Message #general' }).fill('both of them');
    await page.getByRole('button', { name: 'Send now' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'first.bin' }).click();
    const stream = await (await download).createReadStream();
    const pieces: Buffer[] = [];
    for await (const piece of stream) pieces.push(piece as Buffer);
    expect(Buffer.concat(pieces).equals(buffer)).toBe(true);
    expect(setup.anna.messages.at(-1)).toMatchObject({ text: expect.stringContaining('second.txt') });
  });

  test('a thread opens at the side, accepts replies and shows their count', async () => {
    const { page } = await start(listen([]));
    await sendMessage(page, 'What do you think?');
    await page.getByRole('article').hover();
    await page.getByRole('button', { name: 'Reply to Anna in a thread' }).click();
    await page.getByRole('textbox', { name: 'Reply…' }).fill('A lot');
    await page.keyboard.press('Enter');
    const thread = page.getByRole('complementary', { name: 'Thread' });
    await thread.getByText('A lot').waitFor();
    await page.getByRole('button', { name: '1 reply' }).waitFor();
    await thread.getByRole('button', { name: 'Close thread' }).click();
    await thread.waitFor({ state: 'detached' });
  });

  test('the page shows an error and keeps the typed text', async () => {
    const { page } = await start(listen([]));
    await sendMessage(page, '/invite @zoe');
    await page.getByText('No one here is called zoe.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Message #general' }).inputValue()).toBe('/invite @zoe');
    await sendMessage(page, '/nonsense');
    await page.getByText('/nonsense is not a valid command.').waitFor();
  });

  test("a narrow page hides the channels in a menu and doesn't scroll sideways", async () => {
    const { openTab } = await start(listen([]));
    const page = await openTab({ width: 400 });
    await sendMessage(page, '/drop card');
    await page.getByRole('heading', { name: 'A card' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(400);
    await page.getByRole('button', { name: 'Channels and people' }).click();
    await page.getByRole('button', { name: 'Dropline', exact: true }).click();
    await page.getByRole('heading', { name: 'Dropline' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'general' }).isVisible()).toBe(false);
  });
});
