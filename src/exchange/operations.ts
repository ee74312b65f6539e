/**
 * The eleven operations of the service's API, in the order of its documentation.
 *
 * `repeatable`: a request that the service refused may go out once more with a fresh token. The two that reach other
 * people are never repeated: that their token is good is proven by the call just before them.
 */
export const operations = {
  signIn: { method: 'GET', path: '', does: 'open the account page', repeatable: false },
  readContacts: { method: 'GET', path: 'cgi/contacts_read.cgi', does: 'read the contacts', repeatable: true },
  replaceContacts: { method: 'POST', path: 'cgi/contacts_add.cgi', does: 'replace the contacts', repeatable: true },
  setReceivers: { method: 'POST', path: 'cgi/receivers_set.cgi', does: 'set the receivers', repeatable: true },
  listFiles: { method: 'GET', path: 'cgi/get_files.cgi', does: 'list the uploaded files', repeatable: true },
  removeFile: { method: 'GET', path: 'cgi/remove_file.cgi', does: 'remove an uploaded file', repeatable: true },
  upload: { method: 'POST', path: 'cgi/upload.cgi', does: 'upload a file', repeatable: true },
  createDispatch: { method: 'POST', path: 'cgi/createdrop.cgi', does: 'create the dispatch', repeatable: false },
  grantAccess: { method: 'POST', path: 'cgi/givedrop.cgi', does: 'grant upload access', repeatable: false },
  readHistory: { method: 'GET', path: 'cgi/get_history.cgi', does: 'read the history', repeatable: true },
  download: { method: 'GET', path: '', does: 'download a file', repeatable: true },
} as const;

export type Operation = keyof typeof operations;
