// What every page that searches has: a search that is watched, and a form to start one.

import { part } from './dom.js'

const PANEL = `
  <h2 id="watch-title">Watch a search</h2>
  <div id="live" hidden>
    <div id="others" class="row" role="group" aria-label="Other searches" hidden></div>
    <p class="expression"><code id="live-search"></code></p>
    <p class="figure small"><strong id="live-best">–</strong> <span id="live-unit"></span></p>
    <p id="live-distance" class="faint"></p>
    <p id="live-state" class="faint"></p>
    <div class="row">
      <button id="pause" type="button">Pause</button>
      <button id="resume" type="button">Resume</button>
      <button id="stop" type="button">Stop</button>
      <button id="take" type="button">Play on from it</button>
    </div>
    <figure>
      <figcaption>Score over time</figcaption>
      <svg id="curve" class="chart" role="img" aria-label="Score over time"></svg>
    </figure>
    <figure>
      <figcaption>Playouts lately <span id="live-rate"></span></figcaption>
      <svg id="bars" class="chart" role="img" aria-label="Scores of the last playouts"></svg>
    </figure>
  </div>
  <details id="another" open>
    <summary>Start a search</summary>
    <form id="search">
      <label class="wide">Search
        <select id="algorithm"></select>
      </label>
      <label><span id="level-name">Level</span>
        <select id="level"></select>
      </label>
      <label>Time
        <select id="time">
          <option value="10">10 seconds</option>
          <option value="60" selected>a minute</option>
          <option value="600">10 minutes</option>
          <option value="3600">an hour</option>
          <option value="2592000">until I stop it</option>
        </select>
      </label>
      <label id="device-choice" class="wide" hidden>Device
        <select id="device">
          <option value="cpu" selected>Processor</option>
          <option value="cuda">GPU</option>
        </select>
      </label>
      <label class="wide">Expression
        <input id="expression" type="text" placeholder="the best for this problem" spellcheck="false" autocapitalize="off" autocomplete="off">
      </label>
      <p id="cost" class="faint wide" aria-live="polite"></p>
      <label class="check wide"><input id="from-here" type="checkbox"> <span>From the position on the board</span></label>
      <button id="start" class="main wide" type="submit">Start</button>
    </form>
  </details>
  <div id="best" hidden>
    <h3>Best score of each search</h3>
    <ol id="best-list" class="ranking"></ol>
  </div>
`

/** Fills the page's section for searches. */
export const searchPanel = () => part('watch').insertAdjacentHTML('beforeend', PANEL)
