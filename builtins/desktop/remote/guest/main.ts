// Starts the page of a guest in the same network.
import { createLanWay } from './lan-way.ts';
import { startGuest } from './start.ts';

startGuest(document.getElementById('root') as HTMLElement, createLanWay(location, sessionStorage));
