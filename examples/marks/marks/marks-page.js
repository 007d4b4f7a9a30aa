// Runs in the browser: a page about one chat, opened from the menu of that chat.

export async function mount(element, { client, chatId }) {
  const list = document.createElement('ol');
  const none = document.createElement('p');
  none.className = 'muted';
  none.textContent = 'Nothing is marked among the newest entries of this chat. Write /mark and a name in it.';
  element.append(list, none);

  function show(text) {
    const item = document.createElement('li');
    item.textContent = text;
    list.append(item);
    none.hidden = true;
  }

  client.on((event) => {
    if (event.kind === 'mark_set' && event.chatId === chatId) show(event.text);
  });
  const { entries } = await client.call('GET /api/chats/:id/transcript', { params: { id: chatId } });
  for (const { code, data } of entries) if (code === 'mark_set') show(data.text);
}
