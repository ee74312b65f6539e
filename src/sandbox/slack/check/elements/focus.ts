import { type Check, refuse } from '../place.ts';
import { flag } from '../values.ts';

/** Only one element of a view can have the focus when it opens. */
export const focus_on_load: Check = (value, place) => {
  flag(value, place);
  if (value !== true) return;
  place.whole.focused += 1;
  if (place.whole.focused > 1) refuse(place, 'only one element can be focused on load');
};
