/* Unpacks what it is given as a chunk, and understands it as events, with just the room that Python
 * allows. */
#include "archive.h"
#include "trace/trace_format.h"

#include <stdlib.h>
#include <string.h>

enum { PLANS = 14, TEAMS = 2, LOCKS = 3, PATHS = 20, PLACES = 64, PIECE = 7 };

static void unpack(const uint8_t *data, size_t size) {
  uint8_t fields[256] = {[12] = 1, [13] = 1, [14] = 4, [22] = 0, [23] = 5, [26] = 2,
                         [31] = 3, [38] = 6, [41] = 4, [55] = 1, [57] = 2};
  uint8_t byte[256];
  uint8_t has_model[256] = {[53] = 1, [54] = 1, [57] = 1}, is_plain[256] = {[12] = 1, [13] = 1};
  uint64_t room = size / 2;
  memset(byte, 6, sizeof byte);
  byte[23] = byte[38] = 0;
  byte[41] = 3;
  struct pomp_unpacking to = {.fields = fields,
                              .has_model = has_model,
                              .byte = byte,
                              .is_plain = is_plain,
                              .events.room = room,
                              .time = malloc(room * 8 + 1),
                              .type = malloc(room + 1),
                              .first = malloc(room * 8 + 1),
                              .second = malloc(room * 8 + 1),
                              .third = malloc(room * 8 + 1),
                              .fourth = calloc(room + 1, 8),
                              .fifth = calloc(room + 1, 8),
                              .sixth = calloc(room + 1, 8)};
  uint8_t *chunk = malloc(size ? size : 1);
  memcpy(chunk, data, size);
  int error = pomp_unpack(&to, chunk, size);
  if (error > POMP_UNPACK_FIELDS || to.events.count > room)
    abort();
  free(chunk), free(to.time), free(to.type), free(to.first), free(to.second), free(to.third);
  free(to.fourth), free(to.fifth), free(to.sixth);
}

/* Plans of all that a region can mean. */
static const uint8_t means[PLANS] = {
    POMP_MEANS_PARALLEL, POMP_MEANS_TASK,  POMP_MEANS_LOCK,  POMP_MEANS_RELEASE, POMP_MEANS_BARRIER,
    POMP_MEANS_BLOCK,    POMP_MEANS_FRAME, POMP_MEANS_FRAME, POMP_MEANS_FRAME,   POMP_MEANS_FRAME,
    POMP_MEANS_FRAME,    POMP_MEANS_FRAME, POMP_MEANS_BLOCK, POMP_MEANS_TASK};
static const uint8_t kinds[PLANS] = {POMP_FRAME_PARALLEL,
                                     POMP_FRAME_TASK,
                                     POMP_FRAME_SYNC,
                                     POMP_FRAME_SYNC,
                                     POMP_FRAME_BARRIER,
                                     POMP_FRAME_SIMPLE,
                                     POMP_FRAME_USER,
                                     POMP_FRAME_WORK,
                                     POMP_FRAME_SYNC,
                                     POMP_FRAME_BARRIER,
                                     POMP_FRAME_WAIT,
                                     POMP_FRAME_CREATE,
                                     0,
                                     POMP_FRAME_TASK};
static const uint8_t types[] = {12, 13, 24, 25, 26, 27, 53, 54, 55, 57, 58, 59, 255};

static void understand(const uint8_t *data, size_t size) {
  uint64_t events = size / 2, room = 3 * events + 1, values = 2 * events + 1;
  uint8_t how[PLANS] = {0}, task[PATHS + 1] = {0}, recurs[PATHS + 1] = {0};
  uint16_t above[PATHS + 1] = {0};
  int64_t region[PLANS], regions[PATHS + 1] = {0}, team_fork[TEAMS] = {0}, team_path[TEAMS] = {0};
  int64_t held[LOCKS] = {0};
  uint32_t index[PLACES] = {0};
  for (int64_t i = 0; i < PLANS; i++)
    region[i] = i / 2;
  struct pomp_callpaths paths = {PATHS, 0, PLACES, above, regions, task, recurs, index};
  int64_t *time = malloc(events * 8 + 1), *first = malloc(events * 8 + 1);
  int64_t *second = malloc(events * 8 + 1);
  uint8_t *type = malloc(events + 1);
  for (uint64_t i = 0; i < events; i++) {
    type[i] = types[data[2 * i] % sizeof types];
    first[i] =
        type[i] == 55 ? data[2 * i + 1] % (TEAMS + 1) - 1 : data[2 * i + 1] % (PLANS + 2) - 1;
    second[i] = data[2 * i + 1] % LOCKS;
    time[i] = data[2 * i] * 3 + (int64_t)i;
  }
  struct pomp_understanding run = {.events = events,
                                   .time = time,
                                   .type = type,
                                   .first = first,
                                   .second = second,
                                   .plans = PLANS,
                                   .plan_means = means,
                                   .plan_kind = kinds,
                                   .plan_how = how,
                                   .plan_region = region,
                                   .paths = &paths,
                                   .team_fork = team_fork,
                                   .team_path = team_path,
                                   .held = held,
                                   .out.room = room,
                                   .out_time = malloc(room * 8),
                                   .out_op = malloc(room),
                                   .out_path = malloc(room * 2),
                                   .values.room = values,
                                   .value_row = malloc(values * 8),
                                   .value = malloc(values * 8),
                                   .team = -1};
  int error = 0;
  for (uint64_t before = 0; run.at < events && !error; before = run.at) {
    uint64_t until = run.at + PIECE < events ? run.at + PIECE : events;
    error = pomp_understand(&run, until);
    if (run.at == before)
      run.team = -1;
  }
  if (error == POMP_UNDERSTAND_ROOM)
    abort();
  pomp_understood(&run);
  free(time), free(first), free(second), free(type), free(run.out_time), free(run.out_op);
  free(run.out_path), free(run.value_row), free(run.value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  unpack(data, size);
  understand(data, size);
  return 0;
}
