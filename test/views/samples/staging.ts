import { uniqueNames } from '../../../src/features/common/names.ts';
import { offerMessage, stagedMessage } from '../../../src/features/staging/views.ts';
import { everydayFiles } from '../everyday.ts';
import { hostileList, type Samples } from '../hostile-texts.ts';

export const samples: Samples = {
  'the everyday reply to shared files': stagedMessage(
    everydayFiles.map(({ name }) => name),
    2,
  ),
  'the reply to shared files': stagedMessage(uniqueNames(hostileList), 100),
  'the question about files in a watched channel': offerMessage(
    uniqueNames(hostileList).map((name, number) => ({ id: `F${number}`, name })),
  ),
};
