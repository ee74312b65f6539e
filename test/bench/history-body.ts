/** An answer of get_history.cgi with this many entries, in the documented format. */
export function historyOf(entries: number): object {
  return {
    history: Array.from({ length: entries }, (_, index) => ({
      drop_type: 'downloadfiles',
      create_time: String(1_700_000_000 + index),
      ttl: '7',
      receivers: [
        {
          email: `receiver${index}@example.org`,
          number: '46701234567',
          language: 'en',
          groups: ['legal'],
          nick: `Recipient ${index}`,
          name: 'Some Name',
        },
      ],
      ddmessage: 'Here are the files "you" asked for.\nBest regards',
      sender: {
        email: 'api@example.com',
        number: '46700000000',
        lang: 'en',
        first_run: 'false',
        accountType: 'api',
        change_passwd: 'false',
        settings: { show_number: 'true', show_email: 'true', show_lang: 'true', show_nick: 'true' },
      },
      files: [
        { name: `report-${index}.pdf`, settings: '[]' },
        { name: `appendix-${index}.pdf`, settings: '[]' },
      ],
    })),
    live_drops: '3',
    inbox: ['one', 'two', 'three'].map((url) => ({
      ttl: '7',
      createtime: '1700000000',
      sender: 'bo@example.org',
      files: [{ name: 'reply.pdf', settings: '[]' }],
      url,
    })),
  };
}
