// The live objects behind the opaque pointers of a C API.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace mluop {

/// The live objects of one kind. A pointer that is not registered is rejected instead of dereferenced.
/// Constant-initialised and trivially destructible, because programs call the API from constructors and
/// destructors of their static objects.
template <class Owner>
class Registry {
 public:
  using Object = typename Owner::element_type;

  Object* add(Owner owner) {
    Object* const object = owner.get();
    const std::lock_guard lock{mutex_};
    if (live_ == nullptr) live_ = new Map;
    live_->emplace(object, std::move(owner));
    return object;
  }

  bool remove(const void* object) {
    typename Map::node_type removed;  // destroyed after the lock is released
    std::unique_ptr<Map> emptied;     // likewise
    const std::lock_guard lock{mutex_};
    if (live_ == nullptr) return false;
    removed = live_->extract(object);
    if (live_->empty()) emptied.reset(std::exchange(live_, nullptr));
    return !removed.empty();
  }

  /// Calls use(object) under the lock; false if there is no such object.
  template <class Use>
  bool with(const void* object, Use&& use) {
    const std::lock_guard lock{mutex_};
    if (live_ == nullptr) return false;
    const auto found = live_->find(object);
    if (found == live_->end()) return false;
    use(*found->second);
    return true;
  }

  bool contains(const void* object) {
    return with(object, [](const Object&) {});
  }

  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

 private:
  using Map = std::unordered_map<const void*, Owner>;
  std::mutex mutex_;
  Map* live_ = nullptr;  // null while empty, so that an unloaded library leaks nothing
};

}  // namespace mluop
