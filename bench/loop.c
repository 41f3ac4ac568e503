/* The plain C loop that arpad is measured against: sequential Elo, K 40 under 30 games, 10 once 2400 was reached, else 20.
 * Build: cc -O3 -ffp-contract=off -shared -fPIC -o loop.so loop.c -lm
 */
#include <math.h>
#include <stdint.h>

void rate(int64_t n, const int32_t *first, const int32_t *second, const double *score, double *rating, int32_t *games,
          uint8_t *reached, double *before_first, double *before_second, double *expected)
{
    for (int64_t g = 0; g < n; g++) {
        int32_t a = first[g], b = second[g];
        double ra = rating[a], rb = rating[b];
        double e = 1.0 / (1.0 + exp((rb - ra) * (2.302585092994046 / 400.0)));
        double ka = reached[a] ? 10.0 : games[a] < 30 ? 40.0 : 20.0;
        double kb = reached[b] ? 10.0 : games[b] < 30 ? 40.0 : 20.0;
        if (before_first) {
            before_first[g] = ra;
            before_second[g] = rb;
            expected[g] = e;
        }
        ra += ka * (score[g] - e);
        rb -= kb * (score[g] - e);
        rating[a] = ra;
        rating[b] = rb;
        games[a]++;
        games[b]++;
        if (ra >= 2400.0) reached[a] = 1;
        if (rb >= 2400.0) reached[b] = 1;
    }
}
