import { expect, test } from 'vitest';
import { actionName, actionPieces, cellsOf, detailPieces } from '../../src/features/audit/texts.ts';
import type { Piece } from '../../src/slack/blocks.ts';
import { type AuditAction, type AuditDetails, auditActions } from '../../src/store/index.ts';
import { auditExamples, exampledActions } from './audit-examples.ts';

const plain = (pieces: readonly Piece[]) =>
  pieces
    .map((piece) => (typeof piece === 'string' ? piece : 'bold' in piece ? piece.bold : `@${Object.values(piece)}`))
    .join('');

const textOf = (action: AuditAction, details: AuditDetails, outcome = 'done') => {
  const entry = { action, outcome };
  return `${plain(actionPieces(entry, details))}\n${plain(detailPieces(details))}`;
};

test('every action has a text and a name of its own', () => {
  expect(exampledActions).toEqual(Object.keys(auditActions));
  const texts = exampledActions.flatMap((action) => [
    textOf(action, auditExamples[action]),
    textOf(action, auditExamples[action], 'not-allowed'),
    actionName(action),
  ]);
  expect(new Set(texts).size).toBe(texts.length);
  expect(texts.filter((text) => /[{}[\]]|undefined|null|object/.test(text))).toEqual([]);
});

/** Ids and times that other parts of the entry show, or that only the program uses. */
const hidden: Partial<Record<string, AuditAction[]>> = {
  edit: ['contacts add', 'contacts edit', 'contacts remove', 'contacts import', 'contacts group'],
  confirmed: ['send', 'request'],
  approvedAt: ['send', 'request'],
  channels: ['connect', 'settings'],
  files: ['request'],
};

test.each(exampledActions)('all details of “%s” are shown', (action) => {
  const example = auditExamples[action];
  const silent = Object.keys(auditActions[action].shape).filter((key) => {
    const named = { ...example, desk: 'Legal' };
    const { [key as never]: _, ...others } = named;
    return textOf(action, others) === textOf(action, named) && hidden[key]?.includes(action) !== true;
  });
  expect(silent).toEqual([]);
  const { files, recipients, size, details } = cellsOf(example);
  const row = `${files}${recipients}${size}${plain(details)}`;
  expect(row === '').toBe(Object.keys(example).length === 0);
  expect(row).not.toMatch(/[{}[\]]|undefined|null|object/);
});

test('the texts name files, recipients, sizes and scan results as people do', () => {
  expect(textOf('approve', { files: [{ name: 'contract.pdf' }], recipients: ['grace@example.com'] })).toBe(
    'approved contract.pdf to grace@example.com\n',
  );
  expect(textOf('approve', auditExamples.approve, 'decided')).toMatch(/^tried to approve .*: already decided\n/);
  const settings = textOf('settings', auditExamples.settings);
  expect(settings).toContain('The default message: not set → CONFIDENTIAL;');
  expect(settings).toContain('Total size without approval: 1 MB → not set;');
  expect(textOf('send', auditExamples.send, 'sent')).toContain('3 files clean, 1 not scanned: video.mp4 (too large)');
  expect(textOf('contacts import', auditExamples['contacts import'])).toMatch(
    /^imported .* and 470 more into the contacts\n/,
  );
});
