import { expect, test } from 'vitest';
import type { InboxItem } from '../../src/features/common/services.ts';
import { countBlocks } from '../../src/features/inbox/announce/operations.ts';
import { itemsAnnouncement } from '../../src/features/inbox/announce/views.ts';

const itemWith = (files: number, filesLeftOut?: number): InboxItem => {
  const names = Array.from({ length: files }, (_, number) => `${number}.pdf`);
  return {
    url: 'u',
    sender: 'ada@partner.example',
    createdAt: 1,
    expiresAfter: '7',
    files: names,
    filesLeftOut,
    isGone: false,
    belongsTo: ['C0123456789'],
    downloads: names.map((file) => ({ person: 'U0123456789', file, at: 1 })),
  };
};

test.each([0, 1, 2, 10, 11, 40])('a post has room for an item with %i files that were downloaded', (files) => {
  for (const item of [itemWith(files), itemWith(files, 5)]) {
    const { blocks } = itemsAnnouncement([{ item, unit: 'days', requesters: ['U0123456789'] }]);
    expect(blocks.length).toBeLessThanOrEqual(countBlocks(item));
  }
});
