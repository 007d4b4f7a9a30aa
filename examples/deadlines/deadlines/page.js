// Runs in the browser: lists the open deadlines with a button to complete each one, and updates the list on events.

export async function mount(element, { client }) {
  const list = document.createElement('ul');
  const none = document.createElement('p');
  none.className = 'muted';
  none.textContent = 'Nothing is open. Ask the agent to set a deadline.';
  element.append(none, list);

  function rowOf({ id, what, dueAt }) {
    const row = document.createElement('li');
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'button';
    button.textContent = `Done: ${what}`;
    button.addEventListener('click', async () => {
      await client.call('POST /api/deadlines/:id/done', { params: { id }, body: {} });
      await show();
    });
    const time = document.createElement('time');
    time.dateTime = dueAt;
    time.textContent = ` ${new Date(dueAt).toLocaleString()} `;
    row.append(time, button);
    return row;
  }

  async function show() {
    const { deadlines } = await client.call('GET /api/deadlines');
    const open = deadlines.filter(({ doneAt }) => doneAt === undefined);
    none.hidden = open.length > 0;
    list.replaceChildren(...open.map(rowOf));
  }

  client.on((event) => {
    if (event.kind === 'deadline_changed') void show();
  });
  await show();
}
