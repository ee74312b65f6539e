import { type Html, html } from './html.ts';

/**
 * The user's index page, with the token in a hidden input. As on a real service's page there is much other content, and
 * some of it resembles the token's input.
 */
export function indexPage(user: string, token: string): Html {
  return html`<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>File exchange - ${user}</title>
  <link rel="stylesheet" href="css/main.css">
  <link rel="icon" href="img/favicon.ico">
  <script src="js/main.js" defer></script>
</head>
<body class="user">
  <header id="top">
    <img src="img/logo.svg" alt="File exchange" width="160" height="40">
    <nav>
      <ul>
        <li class="active"><a href="#send">Send files</a></li>
        <li><a href="#contacts">Contacts</a></li>
        <li><a href="#history">History</a></li>
        <li><a href="#inbox">Inbox</a></li>
        <li><a href="#settings">Settings</a></li>
      </ul>
    </nav>
    <p class="who">Signed in as <strong>${user}</strong></p>
  </header>
  <section id="send">
    <h1>Send files</h1>
    <form id="uploadform" action="cgi/upload.cgi" method="post" enctype="multipart/form-data">
      <input type="hidden" name="do" value="upload">
      <input type="hidden" name="csrftoken" value="${token}">
      <label for="file">Files</label>
      <input type="file" id="file" name="file" multiple>
      <progress id="progress" max="100" value="0"></progress>
    </form>
    <table id="files">
      <thead><tr><th>Name</th><th>Type</th><th>Size</th><th></th></tr></thead>
      <tbody></tbody>
    </table>
    <form id="dispatchform">
      <label for="receivers">Receivers</label>
      <select id="receivers" name="receivers" multiple></select>
      <label for="ddmessage">Message</label>
      <textarea id="ddmessage" name="ddmessage" rows="5">You will receive a mail with a link to the files.</textarea>
      <label for="desttime">Time to live</label>
      <input type="number" id="desttime" name="desttime" min="0" value="7">
      <button type="submit">Send</button>
      <button type="button" id="give">Let them send files to me</button>
    </form>
  </section>
  <section id="contacts" hidden>
    <h1>Contacts</h1>
    <input type="search" name="contactsearch" placeholder="Search">
    <table><thead><tr><th>Nickname</th><th>E-mail</th><th>Mobile</th><th>Language</th></tr></thead><tbody></tbody></table>
    <form id="contactform">
      <input type="email" name="email" required>
      <input type="tel" name="number" pattern="[0-9]+">
      <input type="text" name="nick">
      <select name="language"><option value="en">English</option><option value="sv">Svenska</option></select>
      <button type="submit">Add</button>
    </form>
  </section>
  <section id="history" hidden><h1>History</h1><ol></ol></section>
  <section id="inbox" hidden><h1>Inbox</h1><ol></ol></section>
  <section id="settings" hidden>
    <h1>Settings</h1>
    <form>
      <label><input type="checkbox" name="show_number" checked> Show my number</label>
      <label><input type="checkbox" name="show_email" checked> Show my e-mail address</label>
      <label><input type="checkbox" name="show_nick" checked> Show my nickname</label>
    </form>
  </section>
  <!-- <input type="hidden" name="csrftoken" value="placeholder"> -->
  <footer><p>Secure file exchange</p></footer>
  <noscript><p>This page needs JavaScript.</p></noscript>
</body>
</html>
`;
}
