// Runs in the browser: renders the line of one event from the event's data.

export function mount(element, { entry }) {
  const line = document.createElement('p');
  line.textContent = `★ ${entry.data.text}`;
  line.style.cssText = 'color: var(--accent); font-weight: 600; text-align: center';
  element.append(line);
}
