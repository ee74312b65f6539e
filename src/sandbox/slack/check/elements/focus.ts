import { type Check, refuse } from '../path.ts';
import { flag } from '../values.ts';

/** Only one element of a view can have the focus when it opens. */
export const focus_on_load: Check = (value, path) => {
  flag(value, path);
  if (value !== true) return;
  path.state.focused += 1;
  if (path.state.focused > 1) refuse(path, 'only one element can be focused on load');
};
