// Runs in the browser: adds a suggestion to an empty chat.

export function mount(element, { client, chatId }) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button';
  button.textContent = '★ Mark where this chat begins';
  button.addEventListener('click', () => {
    void client.call('POST /api/commands', { body: { chatId, name: 'mark', args: 'The beginning' } });
  });
  element.append(button);
}
