import { uniqueNames } from '../../../src/features/common/names.ts';
import { stagedMessage } from '../../../src/features/staging/views.ts';
import { nastyList, type Samples } from '../nasty.ts';

export const samples: Samples = {
  'the answer to a share': stagedMessage(uniqueNames(nastyList), 100),
};
