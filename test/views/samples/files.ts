import { uniqueNames } from '../../../src/features/common/names.ts';
import { filesView } from '../../../src/features/files/views.ts';
import { everydayFiles } from '../everyday.ts';
import { hostileList, hostileTexts, type Samples } from '../hostile-texts.ts';

const names = uniqueNames([...hostileList, ...Array.from({ length: 90 }, (_, number) => `file ${number}.txt`)]);
const files = names.map((name, number) => ({ id: `F${number}`, name, size: number * 1e9, stamp: '1' }));

export const samples: Samples = {
  everyday: filesView({
    staged: everydayFiles,
    account: {
      listed: [{ name: 'old.zip', size: '12 MB', type: undefined }],
      ours: [],
      unexpected: ['old.zip'],
    },
    problem: undefined,
    isAdmin: true,
    planned: [],
  }),
  'everyday, removed in a form': filesView({
    staged: everydayFiles.map((file) => ({ ...file, isTicked: false })),
    account: { listed: [], ours: [], unexpected: [] },
    problem: undefined,
    isAdmin: false,
    planned: [],
  }),
  'everyday, service unreachable': filesView({
    staged: everydayFiles,
    account: undefined,
    problem: 'Try again later.',
    isAdmin: false,
    planned: [],
  }),
  none: filesView({
    staged: [],
    account: { listed: [], ours: [], unexpected: [] },
    problem: undefined,
    isAdmin: true,
    planned: [],
  }),
  many: filesView({
    staged: files,
    account: {
      listed: names.map((name) => ({ name, size: '1 TB', type: undefined })),
      ours: names.slice(5),
      unexpected: names.slice(0, 5),
    },
    problem: undefined,
    isAdmin: true,
    planned: [],
  }),
  'while sending': filesView({
    staged: [
      ...files.slice(0, 2),
      { id: 'F9', size: undefined, problem: hostileTexts.huge },
      { id: 'F8', name: hostileTexts.huge, size: undefined },
    ],
    account: { listed: undefined, ours: names, unexpected: [] },
    problem: undefined,
    isAdmin: false,
    planned: [],
  }),
  'service unreachable': filesView({
    staged: [],
    account: undefined,
    problem: hostileTexts.huge,
    isAdmin: false,
    planned: [],
  }),
};
